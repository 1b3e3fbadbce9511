// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobP11Kit
package import KeyfobMemory

extension Token {
    /// Sets the user PIN as the SO (`C_InitPIN`): the first one, or a new one in place of one forgotten or locked.
    ///
    /// The user is logged out and the token's sessions here are closed first, for an SO cannot log in beside read-only
    /// sessions; sessions of `openSession` are the caller's to close.
    ///
    /// - Parameter finalTry: whether the last try of the SO PIN may be spent.
    /// - Throws: `.pinNotTried` with the length that a PIN should have or why the SO PIN was not sent; what `C_Login`
    ///   returned for the SO PIN, which is sent once; what `C_InitPIN` returned.
    package func initializePIN(
        _ pin: borrowing SecretBytes, soPIN: borrowing SecretBytes, finalTry: Bool = false
    ) throws(PKCS11Error) {
        try checkLength(pin.count)
        if let refusal = LoginState.refusal(.securityOfficer, try info(), length: soPIN.count, finalTry: finalTry) {
            throw line.error(.pinNotTried(refusal))
        }
        dropSessions()
        let box = try place.open(line, readWrite: true)
        defer { box.close() }
        let securityOfficer: UInt = 0
        try unsafe soPIN.withUnsafeBytes { (pin) throws(PKCS11Error) in
            try unsafe box.check(.login) {
                unsafe $0.pointee.C_Login?(box.handle, securityOfficer, pin.mutableBytes, UInt(pin.count))
            }
        }
        let value = unsafe pin.withUnsafeBytes { pin in
            unsafe box.call(.initPIN) { unsafe $0.pointee.C_InitPIN?(box.handle, pin.mutableBytes, UInt(pin.count)) }
        }
        // Closing the last session would do as well, but the process may have others.
        let logout = unsafe box.call(.logout) { unsafe $0.pointee.C_Logout?(box.handle) }
        guard value == .ok else { throw line.error(.initPIN, value) }
        guard logout == .ok else { throw line.error(.logout, logout) }
    }

    /// Changes the user PIN (`C_SetPIN`).
    ///
    /// The old one reaches the token once.
    ///
    /// - Throws: `.pinNotTried` with the length the new PIN should have, or what `C_SetPIN` returned.
    package func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool = false
    ) throws(PKCS11Error) {
        try checkLength(new.count)
        if let refusal = LoginState.refusal(.user, try info(), length: old.count, finalTry: finalTry) {
            throw line.error(.pinNotTried(refusal))
        }
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
