// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11
internal import Synchronization

/// The life of the token's user PIN (docs/adr/0013-pin-life-cycle.md).
extension Vault {
    /// Changes the user PIN; the old one reaches the token once.
    ///
    /// The lock state and every class key stay.
    ///
    /// - Throws: `.pinIncorrect` (with the tries left), `.pinLocked`, `.pinFinalTry`, `.pinNotSet` for the old PIN,
    ///   `.pinLength`, `.pinUnsuitable` for the new one; `.notAvailable`, `.tokenFailed`.
    package func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool = false
    ) throws(KeychainError) {
        try changePIN(finalTry) { () throws(PKCS11Error) in
            try token.login(old, finalTry: finalTry)
        } change: { () throws(PKCS11Error) in
            try token.changePIN(from: old, to: new, finalTry: finalTry)
        }
    }

    /// Changes the user PIN; a person enters both on the device (`CKF_PROTECTED_AUTHENTICATION_PATH`).
    ///
    /// - Throws: as `changePIN`; `.canceled` if the person would not; `.unimplemented` if the device has no way to enter one.
    package func changePINOnDevice(finalTry: Bool = false) throws(KeychainError) {
        try requirePINPad(.changePIN)
        try changePIN(finalTry) { () throws(PKCS11Error) in
            try token.loginProtected(finalTry: finalTry)
        } change: { () throws(PKCS11Error) in
            try token.changePINOnDevice(finalTry: finalTry)
        }
    }

    private func changePIN(
        _ finalTry: Bool, logIn: () throws(PKCS11Error) -> Void, change: () throws(PKCS11Error) -> Void
    ) throws(KeychainError) {
        try transitions.withLock { (_) throws(KeychainError) in
            try requireAdoptedPair(.changePIN)
            try requirePIN(.changePIN, finalTry: finalTry)
            do throws(PKCS11Error) {
                do throws(PKCS11Error) { try change() } catch {
                    guard error.returnValue?.kind == .notLoggedIn, lockState != .unlocked else { throw error }
                    // Tokens that change a PIN only after a login (NSS) have not looked at the PIN before.
                    try logIn()
                    let result = Result<Void, PKCS11Error> { () throws(PKCS11Error) in try change() }
                    try token.logout()
                    try result.get()
                }
            } catch {
                throw KeychainError(login: error, token: token, .changePIN)
            }
            if lockState != .unlocked { try forgetChangedPIN() }
        }
    }

    /// Throws `.unimplemented` if PINs cannot be entered on the device.
    func requirePINPad(_ operation: KeychainError.Operation) throws(KeychainError) {
        guard try !hasPinPad(operation) else { return }
        throw KeychainError(
            .unimplemented, operation, subject: .token(token.identity),
            cause: .format(place: "token", fault: "has no way to enter a PIN on the device"))
    }

    /// Sets a new user PIN by that of the security officer, which reaches the token once.
    ///
    /// Locks the keychain first. While the security officer is logged in no session is opened: requests that need one get
    /// `.notAvailable`. After-first-unlock keys stay at work, unless the token has no read/write sessions to hold them:
    /// then the keychain is before first unlock.
    ///
    /// The passcode class is gone when `destroyItems` has returned: its keys are forgotten here, and wait on the token for
    /// `renewPasscodeKey`.
    ///
    /// - Parameters:
    ///   - occasion: why and when it is locked.
    ///   - drain: how long to wait for calls that run.
    ///   - destroyItems: deletes the items of the passcode class, durably; called once the security officer is
    ///     logged in. If it throws, no PIN is set.
    /// - Throws: `.soPINIncorrect` (with the tries left), `.soPINLocked`, `.soPINFinalTry`; `.pinLength`,
    ///   `.pinUnsuitable`; `.timedOut` if calls on the token do not end; what `destroyItems` throws; `.notAvailable`,
    ///   `.tokenFailed`.
    package func initializePIN(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, finalTry: Bool = false,
        on occasion: LastLock, drain: Duration = Token.defaultDrain, destroyItems: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try transitions.withLock { (_) throws(KeychainError) in
            try lockForSecurityOfficer(occasion) { () throws(PKCS11Error) in
                try token.requireTriable(new, soPIN: securityOfficerPIN, finalTry: finalTry)
            }
            var failure: KeychainError?
            do throws(PKCS11Error) {
                try token.initializePIN(
                    new, soPIN: securityOfficerPIN, finalTry: finalTry, drain: drain, letGo: letGoOfReaders
                ) { destroyPasscodeClass(destroyItems, &failure) }
            } catch {
                throw failure ?? KeychainError(unblocking: error, token: token)
            }
            if let failure { throw failure }
        }
    }

    /// The same with PINs that are entered on the device: the security officer's, then the new one.
    ///
    /// - Throws: as `initializePIN`; `.canceled` if the person would not; `.unimplemented` if the device has no way to enter
    ///   one. After the security officer's PIN the items are gone, whatever comes of the new one.
    package func initializePINOnDevice(
        finalTry: Bool = false, on occasion: LastLock, drain: Duration = Token.defaultDrain,
        destroyItems: () throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try requirePINPad(.unblock)
        try transitions.withLock { (_) throws(KeychainError) in
            try lockForSecurityOfficer(occasion) { () throws(PKCS11Error) in
                try token.requireTriableOnDevice(finalTry: finalTry)
            }
            var failure: KeychainError?
            do throws(PKCS11Error) {
                try token.initializePINOnDevice(finalTry: finalTry, drain: drain, letGo: letGoOfReaders) {
                    destroyPasscodeClass(destroyItems, &failure)
                }
            } catch {
                throw failure ?? KeychainError(unblocking: error, token: token)
            }
            if let failure { throw failure }
        }
    }

    /// Locks, unless the token would not get the PINs; `transitions` is held.
    private func lockForSecurityOfficer(
        _ occasion: LastLock, _ require: () throws(PKCS11Error) -> Void
    ) throws(KeychainError) {
        do throws(PKCS11Error) { try require() } catch { throw KeychainError(unblocking: error, token: token) }
        try lockHeld(occasion)
    }

    /// - Returns: whether the items are gone, so that a new PIN may be set.
    private func destroyPasscodeClass(
        _ destroyItems: () throws(KeychainError) -> Void, _ failure: inout KeychainError?
    ) -> Bool {
        do throws(KeychainError) { try destroyItems() } catch {
            failure = error
            return false
        }
        forgetPasscodeKeys()
        return true
    }

    /// Closes the class keys' sessions beside which a security officer cannot log in.
    private func letGoOfReaders() {
        let gone = state.withLock { state in
            let gone = state.classKeys.values.filter(\.hindersSecurityOfficer)
            for key in gone { state.classKeys[key.id] = nil }
            guard gone.contains(where: { availability(of: $0.id) == .afterFirstUnlock }) else { return gone }
            _ = state.machine.handle(.keysLetGo)
            return gone
        }
        // The sessions close when the last user lets go of the keys.
        _ = (gone, takeKeysOut())
    }

    /// Whether there is a class key of the passcode class.
    package var hasPasscodeKey: Bool {
        records.keys.contains { $0.accessibility == .whenPasscodeSetThisDeviceOnly }
    }

    private func forgetPasscodeKeys() {
        state.withLock { state in
            for id in state.records.keys where id.accessibility == .whenPasscodeSetThisDeviceOnly {
                state.records[id] = nil
                state.classKeys[id] = nil
                state.metadataKeys[id] = nil
            }
            state.takeItemKeysOut()
        }
    }

    /// Destroys what is left of the passcode class on the token, and makes its next key; needs an unlocked keychain.
    ///
    /// - Parameters:
    ///   - generation: the newest that the store knows of.
    ///   - keep: stores what belongs to the new key; if it throws, the key is destroyed.
    /// - Throws: `.interactionNotAllowed` while locked, what `keep` throws, `.residenceRefused`, `.tokenFailed`.
    package func renewPasscodeKey(
        after generation: UInt32, keep: (KeyRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try transitions.withLock { (_) throws(KeychainError) in
            try making.withLock { (_) throws(KeychainError) in
                guard lockState == .unlocked else {
                    throw outOfReach(ClassKeyID(.whenPasscodeSetThisDeviceOnly, generation: generation), .provision)
                }
                // As the other keys of the kind: what the token was found to do.
                let known = records.values.first { $0.residence == .tokenPrivate }
                let record = try Provisioner.renewPasscodeKey(
                    of: keychain, on: token, like: known, after: generation, keep: keep)
                state.withLock { $0.records[record.id] = record }
            }
        }
    }

    /// Throws if the token says that the user PIN is better not tried.
    ///
    /// - Throws: `.pinNotSet`, `.pinLocked`, `.pinFinalTry`; `.pinExpired` if it is to be changed before it is used.
    func requirePIN(_ operation: KeychainError.Operation, finalTry: Bool) throws(KeychainError) {
        let info: TokenInfo
        do { info = try token.info() } catch {
            let failure = KeychainError(error, operation)
            notice(failure, about: nil, since: epoch)
            throw failure
        }
        let subject = KeychainError.Subject.token(token.identity)
        guard info.flags.contains(.userPINInitialized) else {
            throw KeychainError(.pinNotSet, operation, subject: subject, remedy: .unblockWithSO)
        }
        guard info.triesLeft != .none else {
            throw KeychainError(.pinLocked, operation, subject: subject, remedy: .unblockWithSO)
        }
        guard operation == .changePIN || !info.flags.contains(.userPINToBeChanged) else {
            throw KeychainError(.pinExpired, operation, subject: subject, remedy: .changePIN)
        }
        guard info.triesLeft != .one || finalTry else {
            throw KeychainError(.pinFinalTry, operation, subject: subject, remedy: .giveFinalTry)
        }
    }

    /// Whether items under the key are gone, and not only locked: those of the passcode class on a token without a user
    /// PIN.
    ///
    /// Asks the token, if the class is locked.
    package func isGone(_ key: ClassKeyID) -> Bool {
        guard key.accessibility == .whenPasscodeSetThisDeviceOnly,
            !allows(key)
        else { return false }
        // A token that does not answer is not one without a PIN: the class is locked.
        guard let info = try? token.info() else { return false }
        return !info.flags.contains(.userPINInitialized)
    }
}
