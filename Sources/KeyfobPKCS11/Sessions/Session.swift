// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit

/// An open session with one user at a time: it may move between threads, never be shared.
///
/// One that its owner opened closes when it goes, and with it the session objects made on it; one lent by the pool
/// goes back. All members block for the time of their Cryptoki calls and throw `PKCS11Error`.
package struct Session: ~Copyable, Sendable {
    let box: SessionBox
    private let closes: Bool

    init(_ box: SessionBox, closes: Bool) {
        self.box = box
        self.closes = closes
    }

    deinit {
        if closes { box.close() }
    }

    /// Whether it may write objects of the token; a security officer cannot log in beside one that may not.
    package var isReadWrite: Bool { box.isReadWrite }

    /// Whether p11-kit carries the calls to another process, with what it knows of attributes and mechanisms.
    package var isRemote: Bool { box.line.isRemote }

    /// Whether the module was not started anew since the session was opened: else it, and what was made on it, is gone.
    package var isOfThisStart: Bool { box.generation == box.line.gate.generation }

    /// What made the session unfit for further use; nil while it is good.
    package var fault: ReturnValue? { box.fault }

    /// Whether the session is open and its token logged in by the user (`C_GetSessionInfo`).
    package func isLoggedIn() throws(PKCS11Error) -> Bool {
        var info = CK_SESSION_INFO()
        try unsafe box.check(.getSessionInfo) { unsafe $0.pointee.C_GetSessionInfo?(box.handle, &info) }
        // CKS_RO_USER_FUNCTIONS and CKS_RW_USER_FUNCTIONS (PKCS #11 v3.1 §5.6.1).
        return info.state == 1 || info.state == 3
    }
}
