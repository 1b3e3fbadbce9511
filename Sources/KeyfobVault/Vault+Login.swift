// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11
internal import Synchronization

extension Vault {
    /// Logs in to the token: one `C_Login` with the PIN, never a second try.
    ///
    /// At the first unlock the after-first-unlock keys are made usable too; if that fails the token is logged out again.
    /// A key that is damaged in the store or gone from the token is left out and does not keep the others from
    /// working: its items say so when they are asked for.
    /// Unlocking an unlocked keychain checks nothing and succeeds.
    ///
    /// - Parameter isBrief: leaves the after-first-unlock keys to their first use or to `lock`, whichever comes first: for
    ///   a login that serves one operation. If the token goes before, they are out of reach until the next unlock.
    /// - Returns: whether the token took the PIN; false: it was unlocked already, and nobody knows what the PIN is worth.
    /// - Throws: `.pinIncorrect` (with the tries left), `.pinLocked`, `.pinFinalTry` if one try is left and `finalTry`
    ///   is false, `.pinLength`, `.pinNotSet`, `.notAvailable`, `.residenceRefused`, `.tokenFailed`.
    @discardableResult
    package func unlock(
        _ pin: borrowing SecretBytes, finalTry: Bool = false, isBrief: Bool = false
    ) throws(KeychainError) -> Bool {
        try unlock(isBrief: isBrief) { () throws(KeychainError) in try login(pin, finalTry: finalTry) }
    }

    /// Logs in to the token with the PIN that a person enters on the device (`CKF_PROTECTED_AUTHENTICATION_PATH`).
    ///
    /// - Returns: false if it was unlocked already, and nobody was asked.
    /// - Throws: as `unlock(_:finalTry:isBrief:)`; `.unimplemented` if the device has no way to enter a PIN.
    @discardableResult
    package func unlockOnDevice(finalTry: Bool = false, isBrief: Bool = false) throws(KeychainError) -> Bool {
        try unlock(isBrief: isBrief) { () throws(KeychainError) in
            try requirePINPad(.unlock)
            try loginOnDevice(finalTry: finalTry)
        }
    }

    private func unlock(isBrief: Bool, _ login: () throws(KeychainError) -> Void) throws(KeychainError) -> Bool {
        try transitions.withLock { (_) throws(KeychainError) in
            findToken()
            if let absence { throw outOfReach(absence, .unlock) }
            guard lockState != .unlocked else { return false }
            try settleLogout(.unlock)
            try requireAdoptedPair(.unlock)
            try login()
            let actions = handle(isBrief ? .loggedInBriefly : .loggedIn)
            // Another call may have found that the token was gone while it was logging in.
            if let absence { throw outOfReach(absence, .unlock) }
            noteUse(of: .whileUnlocked)
            try carryOut(actions, .unlock)
            return true
        }
    }

    // MARK: - Actions

    private func handle(_ event: LockMachine.Event) -> [LockMachine.Action] {
        state.withLock { $0.machine.handle(event) }
    }

    /// Does what the machine says; `transitions` is held.
    ///
    /// - Throws: the first thing that went wrong; the logout is tried whatever comes before it.
    private func carryOut(
        _ actions: [LockMachine.Action], _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        guard actions != [.prepare] else { return try prepare(operation) }
        try making.withLock { (_) throws(KeychainError) in
            let gone = takeKeysOut()
            var failure: PKCS11Error?
            var objects: [KeyObject] = []
            if actions.contains(.logOut) {
                do throws(PKCS11Error) { objects = try adoptedObjects() } catch { failure = error }
            }
            for action in actions {
                switch action {
                case .takeKeysAway:
                    // Destroyed before the logout: some modules keep private session objects usable after it.
                    for key in gone {
                        do throws(PKCS11Error) { try key.destroy() } catch { failure = failure ?? error }
                    }
                case .logOut:
                    do throws(PKCS11Error) { try token.logout() } catch {
                        state.withLock { $0.owesLogout = true }
                        failure = failure ?? error
                    }
                case .prove, .prepare, .forgetKeys: break
                }
            }
            // A pair that others can use, too, must not stay usable whatever the reason of the logout.
            if failure == nil, actions.contains(.prove) || !objects.isEmpty {
                try proveUnusable(gone, and: objects, operation)
            }
            if let failure {
                let error = KeychainError(failure, operation)
                notice(error, about: nil, since: epoch)
                throw error
            }
        }
    }

    /// Logs out if that failed before, and makes the proof that is due then.
    private func settleLogout(_ operation: KeychainError.Operation) throws(KeychainError) {
        guard state.withLock({ $0.owesLogout }) else { return }
        let objects: [KeyObject]
        do throws(PKCS11Error) {
            objects = try adoptedObjects()
            try token.logout()
        } catch {
            throw KeychainError(error, operation)
        }
        state.withLock { $0.owesLogout = false }
        guard !objects.isEmpty else { return }
        try making.withLock { (_) throws(KeychainError) in try proveUnusable([], and: objects, operation) }
    }

    /// Makes what has to outlive the logout, and goes on with what the machine says to that.
    private func prepare(_ operation: KeychainError.Operation) throws(KeychainError) {
        do throws(KeychainError) {
            for id in records.keys where availability(of: id) == .afterFirstUnlock { try makeUsable(id) }
        } catch {
            // Half unlocked is not a state: back to where it was; the reason is what the caller needs.
            try? carryOut(handle(.preparationFailed), operation)
            throw error
        }
        try carryOut(handle(.prepared), operation)
    }

    /// Takes the keys that the state does not allow out of memory: metadata keys are wiped with their last user, class
    /// keys are the caller's to destroy.
    func takeKeysOut() -> [ClassKey] {
        state.withLock { state in
            let lock = state.lock
            state.takeItemKeysOut()
            state.metadataKeys = state.metadataKeys.filter { lock.allows(availability(of: $0.key)) }
            if !lock.allows(availability(of: indexClassKey)) { state.index = nil }
            let keys = state.classKeys.values.filter { !lock.allows(availability(of: $0.id)) }
            for key in keys { state.classKeys[key.id] = nil }
            return keys
        }
    }

    private func makeUsable(_ id: ClassKeyID) throws(KeychainError) {
        do throws(KeychainError) {
            _ = try classKey(id, .unlock)
        } catch {
            guard error.code == .storeDamaged || error.code == .notAvailable,
                error.subject == .classKey(id.accessibility)
            else { throw error }
        }
    }

    /// Logs out of the token after destroying what hangs on the login, and proves that the locked keys are unusable.
    ///
    /// Calls in flight either complete (the token had begun them) or fail with `.interactionNotAllowed`. Locking a
    /// keychain that is not unlocked does nothing.
    ///
    /// - Parameter occasion: why and when; kept as `lastLock`, unless the keychain was not unlocked.
    /// - Returns: whether the keychain was unlocked.
    /// - Throws: `.residenceRefused` if the token still uses a key after the logout; `.tokenFailed`.
    @discardableResult
    package func lock(_ occasion: LastLock) throws(KeychainError) -> Bool {
        try transitions.withLock { (_) throws(KeychainError) in try lockHeld(occasion) }
    }

    /// Locks; `transitions` is held.
    @discardableResult
    func lockHeld(_ occasion: LastLock) throws(KeychainError) -> Bool {
        let actions = handle(.lock)
        guard !actions.isEmpty else {
            try settleLogout(.lock)
            return false
        }
        defer { if lockState != .unlocked { state.withLock { $0.lastLock = occasion } } }
        try carryOut(actions, .lock)
        return true
    }

    /// Ends the login and every class key that hung on one, for a keychain that is being closed: nothing is made to
    /// outlive the logout, and nothing is proven, as no key is left to prove it of.
    ///
    /// - Parameter occasion: kept as `lastLock` if the keychain was unlocked.
    /// - Throws: `.tokenFailed`, `.notAvailable` if the token is gone; what it held is gone then, too.
    package func end(_ occasion: LastLock) throws(KeychainError) {
        try transitions.withLock { (_) throws(KeychainError) in
            if lockState == .unlocked { state.withLock { $0.lastLock = occasion } }
            state.withLock { $0.itemKeys?.removeAll { _ in true } }
            try carryOut(handle(.end), .lock)
        }
    }

    private func login(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        try requirePIN(.unlock, finalTry: finalTry)
        do { try token.login(pin, finalTry: finalTry) } catch { throw loginFailure(error) }
    }

    private func loginOnDevice(finalTry: Bool) throws(KeychainError) {
        try requirePIN(.unlock, finalTry: finalTry)
        do { try token.loginProtected(finalTry: finalTry) } catch { throw loginFailure(error) }
    }

    private func loginFailure(_ error: PKCS11Error) -> KeychainError {
        let failure = KeychainError(login: error, token: token)
        notice(failure, about: nil, since: epoch)
        return failure
    }
}
