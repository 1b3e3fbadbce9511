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
    /// - Throws: `.pinIncorrect` (with the tries left), `.pinLocked`, `.pinFinalTry` if one try is left and `finalTry`
    ///   is false, `.pinLength`, `.pinNotSet`, `.notAvailable`, `.residenceRefused`, `.tokenFailed`.
    package func unlock(
        _ pin: borrowing SecretBytes, finalTry: Bool = false, isBrief: Bool = false
    ) throws(KeychainError) {
        try transitions.withLock { (_) throws(KeychainError) in
            guard lockState != .unlocked else { return }
            try login(pin, finalTry: finalTry)
            let before = state.withLock { state in
                let before = state.lock
                state.lock = .unlocked
                state.epoch += 1
                return before
            }
            noteUse(of: .whileUnlocked)
            guard !isBrief else { return }
            do throws(KeychainError) {
                try prepareForLogout()
            } catch {
                // Half unlocked is not a state: back to where it was; the reason is what the caller needs.
                try? leave(before, nil, proving: false)
                throw error
            }
        }
    }

    /// Makes what has to outlive the logout, unless that was done before.
    private func prepareForLogout() throws(KeychainError) {
        guard !state.withLock({ $0.isPrepared }) else { return }
        for id in records.keys where id.accessibility.availability == .afterFirstUnlock { try makeUsable(id) }
        state.withLock { $0.isPrepared = true }
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
        try transitions.withLock { (_) throws(KeychainError) in
            guard lockState == .unlocked else { return false }
            try prepareForLogout()
            try leave(.locked, occasion, proving: true)
            return true
        }
    }

    /// Ends the login and every class key that hung on one, for a keychain that is being closed: nothing is made to
    /// outlive the logout, and nothing is proven, as no key is left to prove it of.
    ///
    /// - Parameter occasion: kept as `lastLock` if the keychain was unlocked.
    /// - Throws: `.tokenFailed`, `.notAvailable` if the token is gone; what it held is gone then, too.
    package func end(_ occasion: LastLock) throws(KeychainError) {
        try transitions.withLock { (_) throws(KeychainError) in
            guard lockState != .beforeFirstUnlock else { return }
            try leave(.beforeFirstUnlock, occasion, proving: false)
        }
    }

    private func login(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        do {
            let info = try token.info()
            guard info.flags.contains(.userPINInitialized) else {
                throw KeychainError(.pinNotSet, .unlock, subject: .token(token.identity), remedy: .initializeToken)
            }
            guard info.triesLeft != .none else {
                throw KeychainError(.pinLocked, .unlock, subject: .token(token.identity), remedy: .unblockWithSO)
            }
            guard info.triesLeft != .one || finalTry else {
                throw KeychainError(.pinFinalTry, .unlock, subject: .token(token.identity), remedy: .giveFinalTry)
            }
            try token.login(pin, finalTry: finalTry)
        } catch let error as PKCS11Error {
            throw KeychainError(login: error, token: token)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, .unlock)
        }
    }

    private func leave(_ next: LockState, _ occasion: LastLock?, proving: Bool) throws(KeychainError) {
        try making.withLock { (_) throws(KeychainError) in try takeKeysAway(next, occasion, proving: proving) }
    }

    private func takeKeysAway(_ next: LockState, _ occasion: LastLock?, proving: Bool) throws(KeychainError) {
        let gone = state.withLock { state in
            // Also if the token refuses the logout: what hangs on it is gone from here all the same.
            if state.lock == .unlocked, let occasion { state.lastLock = occasion }
            state.lock = next
            state.epoch += 1
            if next == .beforeFirstUnlock { state.isPrepared = false }
            state.metadataKeys = state.metadataKeys.filter { next.allows($0.key.accessibility.availability) }
            let keys = state.classKeys.values.filter { !next.allows($0.id.accessibility.availability) }
            for key in keys { state.classKeys[key.id] = nil }
            return keys
        }
        var failure: PKCS11Error?
        // Destroyed before the logout: some modules keep private session objects usable after it. Whatever fails, the
        // logout is tried.
        for key in gone {
            do throws(PKCS11Error) { try key.destroy() } catch { failure = failure ?? error }
        }
        do throws(PKCS11Error) { try token.logout() } catch { failure = failure ?? error }
        if let failure { throw KeychainError(failure, .lock) }
        guard proving else { return }
        for key in gone { try proveUnusable(key) }
    }

    /// Whether the token begins to decrypt with the key.
    private func accepts(_ key: ClassKey) throws(PKCS11Error) -> Bool {
        let nothing = [UInt8](repeating: 0, count: Envelope.sealedItemKeySize)
        do throws(PKCS11Error) {
            _ = unsafe try TokenSeal(token).open(nothing.span.bytes, under: key.handle, [])
            return true
        } catch {
            switch error.function {
            case "C_DecryptInit": return false
            case "C_Decrypt": return true
            default: throw error
            }
        }
    }

    /// Shows that the token refuses a key now: an init with the old handle fails, a search finds no object.
    private func proveUnusable(_ key: ClassKey) throws(KeychainError) {
        do throws(PKCS11Error) {
            let stillWorks = try accepts(key)
            let found = try token.withSession { (session) throws(PKCS11Error) in
                try session.find(ClassKeyTemplate.search(KeyName(key.id, of: keychain)), limit: 1)
            }
            guard stillWorks || !found.isEmpty else { return }
        } catch {
            throw KeychainError(error, .lock)
        }
        throw KeychainError(
            .residenceRefused, .lock, subject: .classKey(key.id.accessibility),
            cause: .format(place: "C_Logout", fault: "left the key usable"), remedy: .insertToken)
    }
}
