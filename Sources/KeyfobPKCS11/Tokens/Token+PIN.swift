// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobMemory
internal import Synchronization

extension Token {
    /// How long `initializePIN` waits for calls that run.
    package static let defaultDrain = Duration.seconds(10)

    /// Sets the user PIN as the SO (`C_InitPIN`): the first one, or a new one in place of one forgotten or locked.
    ///
    /// The user is logged out first and the token's read-only sessions here are closed, for an SO cannot log in beside
    /// them. Until this returns no other session is opened: who asks for one gets `.reserved`. Read/write sessions stay,
    /// and so do the public objects made on them.
    ///
    /// - Parameters:
    ///   - finalTry: whether the last try of the SO PIN may be spent.
    ///   - drain: how long to wait for calls that run, before anything is tried.
    ///   - letGo: closes read-only sessions of the caller's own; no more are opened then.
    ///   - beforehand: what has to be done when the SO is logged in and nothing is changed yet; false: go no further.
    /// - Returns: whether the PIN was set: what `beforehand` said.
    /// - Throws: `.pinNotTried` with the length that a PIN should have or why the SO PIN was not sent; `.timedOut`,
    ///   `.reserved`; what `C_Login` returned for the SO PIN, which is sent once; what `C_InitPIN` returned.
    @discardableResult
    package func initializePIN(
        _ pin: borrowing SecretBytes, soPIN: borrowing SecretBytes, finalTry: Bool = false,
        drain: Duration = defaultDrain, letGo: () -> Void = {}, beforehand: () -> Bool = { true }
    ) throws(PKCS11Error) -> Bool {
        try requireTriable(pin, soPIN: soPIN, finalTry: finalTry)
        return try PINNormalForm.with(pin, on: line) { (pin) throws(PKCS11Error) in
            try PINNormalForm.with(soPIN, on: line) { (soPIN) throws(PKCS11Error) in
                try logout()
                try place.reserve(line)
                defer { place.release() }
                letGo()
                dropSessions()
                try place.waitForReaders(line, until: .after(drain))
                return try initialize(pin, soPIN, beforehand)
            }
        }
    }

    /// Whether `initializePIN` would try these PINs: so that nothing is given up for those that it would not.
    ///
    /// - Throws: `.pinNotTried`.
    package func requireTriable(
        _ pin: borrowing SecretBytes, soPIN: borrowing SecretBytes, finalTry: Bool
    ) throws(PKCS11Error) {
        let count = try PINNormalForm.with(pin, on: line) { (pin) throws(PKCS11Error) in pin.count }
        let soCount = try PINNormalForm.with(soPIN, on: line) { (pin) throws(PKCS11Error) in pin.count }
        try checkLength(count)
        if let refusal = LoginState.refusal(.securityOfficer, try info(), length: soCount, finalTry: finalTry) {
            throw line.error(.pinNotTried(refusal))
        }
    }

    private func initialize(
        _ pin: borrowing SecretBytes, _ soPIN: borrowing SecretBytes, _ beforehand: () -> Bool
    ) throws(PKCS11Error) -> Bool {
        let box = try place.open(line, readWrite: true, holdsReservation: true)
        defer { box.close() }
        let securityOfficer: UInt = 0
        try unsafe soPIN.withUnsafeBytes { (pin) throws(PKCS11Error) in
            try unsafe box.check(.login) {
                unsafe $0.pointee.C_Login?(box.handle, securityOfficer, pin.mutableBytes, UInt(pin.count))
            }
        }
        let goesOn = beforehand()
        var value = ReturnValue.ok
        if goesOn {
            value = unsafe pin.withUnsafeBytes { pin in
                unsafe box.call(.initPIN) {
                    unsafe $0.pointee.C_InitPIN?(box.handle, pin.mutableBytes, UInt(pin.count))
                }
            }
        }
        // Closing the last session would do as well, but the process may have others.
        let logout = unsafe box.call(.logout) { unsafe $0.pointee.C_Logout?(box.handle) }
        guard value == .ok else { throw line.error(.initPIN, value) }
        guard logout == .ok else { throw line.error(.logout, logout) }
        return goesOn
    }

    /// Changes the user PIN (`C_SetPIN`); a login stays as it is.
    ///
    /// The old one reaches the token once.
    ///
    /// - Throws: `.pinNotTried` with the length the new PIN should have, or what `C_SetPIN` returned.
    package func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool = false
    ) throws(PKCS11Error) {
        try PINNormalForm.with(old, on: line) { (old) throws(PKCS11Error) in
            try PINNormalForm.with(new, on: line) { (new) throws(PKCS11Error) in
                try checkLength(new.count)
                try pinTurn.withLock { (_) throws(PKCS11Error) in
                    try requireTriable(length: old.count, try info(), finalTry: finalTry)
                    try change(old, new)
                }
            }
        }
    }

    private func change(_ old: borrowing SecretBytes, _ new: borrowing SecretBytes) throws(PKCS11Error) {
        let box = try place.open(line, readWrite: true)
        defer { box.close() }
        let value = unsafe old.withUnsafeBytes { old in
            unsafe new.withUnsafeBytes { new in
                unsafe box.call(.setPIN) {
                    unsafe $0.pointee.C_SetPIN?(
                        box.handle, old.mutableBytes, UInt(old.count), new.mutableBytes, UInt(new.count))
                }
            }
        }
        guard value == .ok else { throw line.error(.setPIN, value) }
    }

    private func checkLength(_ count: Int) throws(PKCS11Error) {
        let info = try info()
        guard info.takesPIN(ofLength: count) else {
            throw line.error(.pinNotTried(.length(minimum: info.minPINLength, maximum: info.maxPINLength)))
        }
    }
}
