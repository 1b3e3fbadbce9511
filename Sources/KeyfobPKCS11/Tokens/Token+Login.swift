// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobMemory
internal import Synchronization

extension Token {
    /// Logs the user in, for all sessions of the process on this token.
    ///
    /// The PIN reaches the token at most once, and a refusal is never tried again. Someone in the process being
    /// logged in already is success if it is the user.
    ///
    /// - Parameters:
    ///   - pin: made UTF-8 in normal form C; its length is held against what the token says before it is sent.
    ///   - finalTry: whether the last try may be spent.
    /// - Throws: `.pinNotTried` if it was not sent, or what `C_Login` returned.
    package func login(_ pin: borrowing SecretBytes, finalTry: Bool = false) throws(PKCS11Error) {
        try PINNormalForm.with(pin, on: line) { (pin) throws(PKCS11Error) in
            try pinTurn.withLock { (_) throws(PKCS11Error) in
                try requireTriable(length: pin.count, try info(), finalTry: finalTry)
                try unsafe pin.withUnsafeBytes { (pin) throws(PKCS11Error) in
                    try unsafe login(pin.mutableBytes, UInt(pin.count))
                }
            }
        }
    }

    /// Logs the user in with a PIN that is entered on the device (`CKF_PROTECTED_AUTHENTICATION_PATH`).
    ///
    /// - Throws: as `login`.
    package func loginProtected(finalTry: Bool = false) throws(PKCS11Error) {
        try pinTurn.withLock { (_) throws(PKCS11Error) in
            try requireTriable(length: nil, try info(), finalTry: finalTry)
            try unsafe login(nil, 0)
        }
    }

    /// Throws unless a user PIN may go to the token; `pinTurn` is held.
    ///
    /// - Parameter length: bytes of the PIN; nil: it is entered on the device.
    /// - Throws: `.pinNotTried`.
    func requireTriable(length: Int?, _ info: TokenInfo, finalTry: Bool) throws(PKCS11Error) {
        let refusal = LoginState.refusal(.user, info, length: length ?? info.minPINLength, finalTry: finalTry)
        if let refusal { throw line.error(.pinNotTried(refusal)) }
    }

    /// Logs out, for all sessions of the process on this token.
    ///
    /// No login is success, so is a token that is gone.
    ///
    /// Object handles of private objects are stale afterwards, even where a module takes them.
    package func logout() throws(PKCS11Error) {
        guard let box = keeper.withLock({ $0 }) else {
            // Without a session there is no login.
            login.withLock { _ = $0.loggedOut(.ok) }
            return
        }
        let value = unsafe box.call(.logout) { unsafe $0.pointee.C_Logout?(box.handle) }
        guard login.withLock({ $0.loggedOut(value) }) else { throw line.error(.logout, value) }
        if value.endsAllSessions { dropSessions() }
    }

    /// Whether the user is logged in, by the token's own word (`C_GetSessionInfo`).
    ///
    /// - Returns: false also if the token cannot be asked: then nothing can be used either.
    package var isLoggedIn: Bool {
        guard let box = keeper.withLock({ $0 }) else { return false }
        do throws(PKCS11Error) {
            let isLoggedIn = try Session(box, closes: false).isLoggedIn()
            login.withLock { $0.observed(isLoggedIn: isLoggedIn) }
            return isLoggedIn
        } catch {
            // The next call that needs the token says what is wrong with it.
            login.withLock { $0.observed(isLoggedIn: false) }
            return false
        }
    }

    private func login(_ pin: UnsafeMutablePointer<UInt8>?, _ count: UInt) throws(PKCS11Error) {
        let box = try livingKeeper()
        let user: UInt = 1
        let value = unsafe box.call(.login) { unsafe $0.pointee.C_Login?(box.handle, user, pin, count) }
        switch login.withLock({ $0.answered(value) }) {
        case .loggedIn: return
        case .fail: throw line.error(.login, value)
        case .askWho:
            let isUser = try Session(box, closes: false).isLoggedIn()
            login.withLock { $0.observed(isLoggedIn: isUser) }
            guard isUser else { throw line.error(.login, value) }
        }
    }
}
