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
                try reserved(drain, letGo) { () throws(PKCS11Error) in
                    try unsafe pin.withUnsafeBytes { (pin) throws(PKCS11Error) in
                        try unsafe soPIN.withUnsafeBytes { (soPIN) throws(PKCS11Error) in
                            try unsafe initialize(
                                (pin.mutableBytes, UInt(pin.count)), (soPIN.mutableBytes, UInt(soPIN.count)), beforehand
                            )
                        }
                    }
                }
            }
        }
    }

    /// The same with PINs that are entered on the device (`CKF_PROTECTED_AUTHENTICATION_PATH`): first the SO's, then the
    /// new one.
    ///
    /// - Throws: as `initializePIN`; `CKR_FUNCTION_CANCELED` of either call if the person would not.
    @discardableResult
    package func initializePINOnDevice(
        finalTry: Bool = false, drain: Duration = defaultDrain, letGo: () -> Void = {},
        beforehand: () -> Bool = { true }
    ) throws(PKCS11Error) -> Bool {
        try requireTriableOnDevice(finalTry: finalTry)
        return try reserved(drain, letGo) { () throws(PKCS11Error) in
            try unsafe initialize((nil, 0), (nil, 0), beforehand)
        }
    }

    /// Does the work while no other session is open, or opened, and nobody is logged in.
    private func reserved(
        _ drain: Duration, _ letGo: () -> Void, _ work: () throws(PKCS11Error) -> Bool
    ) throws(PKCS11Error) -> Bool {
        try logout()
        try place.reserve(line)
        defer { place.release() }
        letGo()
        dropSessions()
        try place.waitForReaders(line, until: .after(drain))
        return try work()
    }

    /// Whether `initializePINOnDevice` would ask for the PINs.
    ///
    /// - Throws: `.pinNotTried`.
    package func requireTriableOnDevice(finalTry: Bool) throws(PKCS11Error) {
        let info = try info()
        let refusal = LoginState.refusal(.securityOfficer, info, length: info.minPINLength, finalTry: finalTry)
        if let refusal { throw line.error(.pinNotTried(refusal)) }
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

    /// The bytes of a PIN; none: it is entered on the device.
    private typealias PINBytes = (bytes: UnsafeMutablePointer<UInt8>?, count: UInt)

    private func initialize(
        _ pin: PINBytes, _ soPIN: PINBytes, _ beforehand: () -> Bool
    ) throws(PKCS11Error) -> Bool {
        let box = try place.open(line, readWrite: true, holdsReservation: true)
        defer { box.close() }
        let securityOfficer: UInt = 0
        try unsafe box.check(.login) {
            unsafe $0.pointee.C_Login?(box.handle, securityOfficer, soPIN.bytes, soPIN.count)
        }
        let goesOn = beforehand()
        var value = ReturnValue.ok
        if goesOn {
            value = unsafe box.call(.initPIN) { unsafe $0.pointee.C_InitPIN?(box.handle, pin.bytes, pin.count) }
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
                    try unsafe old.withUnsafeBytes { (old) throws(PKCS11Error) in
                        try unsafe new.withUnsafeBytes { (new) throws(PKCS11Error) in
                            try unsafe change(
                                (old.mutableBytes, UInt(old.count)), (new.mutableBytes, UInt(new.count)))
                        }
                    }
                }
            }
        }
    }

    /// The same with PINs that are entered on the device.
    ///
    /// - Throws: as `changePIN`; `CKR_FUNCTION_CANCELED` if the person would not.
    package func changePINOnDevice(finalTry: Bool = false) throws(PKCS11Error) {
        try pinTurn.withLock { (_) throws(PKCS11Error) in
            try requireTriable(length: nil, try info(), finalTry: finalTry)
            try unsafe change((nil, 0), (nil, 0))
        }
    }

    private func change(_ old: PINBytes, _ new: PINBytes) throws(PKCS11Error) {
        let box = try place.open(line, readWrite: true)
        defer { box.close() }
        let value = unsafe box.call(.setPIN) {
            unsafe $0.pointee.C_SetPIN?(box.handle, old.bytes, old.count, new.bytes, new.count)
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
