// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobPKCS11
internal import Synchronization

/// Tokens that go and come back.
///
/// A token counts as gone when a call fails and the token then does not answer for itself. What hung on it is forgotten at
/// once: it is dead on the token as well. Afterwards the token is looked for, by its serial: when it is back with its keys,
/// the keychain is before first unlock again.
extension Vault {
    /// Why there is no token; nil while there is one.
    package var absence: KeychainError? { state.withLock { $0.absence } }

    /// Counts the times that the token was gone and came back.
    package var returns: Int { state.withLock { $0.machine.returns } }

    /// Keeps the time of a loss that ended a login, if there was one since the last call, as `lastLock`.
    ///
    /// - Returns: what was lost.
    package func dateLoss(_ time: Double) -> LockReason? {
        state.withLock { state in
            guard let loss = state.loss.take() else { return nil }
            state.lastLock = LastLock(loss, time: time)
            return loss
        }
    }

    /// Asks the token whether it is there and still logged in, or looks for it if it was gone and that is due.
    ///
    /// Blocks for three calls on the token at most, or for a new start of its module.
    package func checkToken() {
        let (lock, epoch, isForgetting) = state.withLock { ($0.lock, $0.epoch, $0.isForgetting) }
        guard !isForgetting else { return }
        guard lock != .noToken else { return findTokenIfDue() }
        guard let error = examine() else {
            if lock == .unlocked, !token.isLoggedIn { loseLogin(since: epoch) }
            return
        }
        loseToken(error, since: epoch)
    }

    /// Looks for a token that was gone, if that is due: for the start of an operation.
    package func findTokenIfDue() {
        let isDue = state.withLock { state in
            state.lock == .noToken && state.search.claim(MonotonicTime.now.nanoseconds)
        }
        guard isDue else { return }
        transitions.withLock { _ in findToken() }
    }

    /// What a failed call on the token means for the keychain.
    ///
    /// - Parameters:
    ///   - key: the class key that was used.
    ///   - epoch: what `epoch` was before the call; if it has changed since, the failure tells nothing new.
    func notice(_ error: KeychainError, about key: ClassKeyID?, since epoch: Int) {
        guard self.epoch == epoch else { return }
        let kind = error.returnValue?.kind
        switch kind {
        case .notLoggedIn, .objectGone, .sessionLost, .tokenGone, .tokenFailed: break
        case nil where error.code == .wrongToken: break
        default: return
        }
        if let fault = examine() { return loseToken(fault, since: epoch) }
        if lockState == .unlocked, !token.isLoggedIn { return loseLogin(since: epoch) }
        // The token is well and the object is not there, or its session is not: it is made again at its next use.
        if kind == .objectGone || kind == .sessionLost, let key { state.withLock { $0.classKeys[key] = nil } }
    }

    /// Looks for the token at once; `transitions` is held.
    ///
    /// First as it is, then with its module started anew: some modules do not see before that what has come back, and
    /// some keep on failing.
    func findToken() {
        guard lockState == .noToken else { return }
        do throws(KeychainError) {
            let key: ClassKey?
            do throws(KeychainError) { key = try keyOfFoundToken() } catch {
                guard try restartModule() else { throw error }
                key = try keyOfFoundToken()
            }
            state.withLock { state in
                _ = state.machine.handle(.tokenFound)
                state.absence = nil
                if let key { state.classKeys[key.id] = key }
            }
        } catch {
            state.withLock { $0.absence = error }
        }
    }

    // MARK: - Private

    /// Why the token does not answer for itself, asked twice; nil if it does.
    private func examine() -> KeychainError? {
        do throws(PKCS11Error) {
            // Only the second answer counts: a card that was disturbed may fail once.
            do throws(PKCS11Error) { try token.check() } catch { try token.check() }
            return nil
        } catch {
            return KeychainError(error, .status)
        }
    }

    private func loseToken(_ error: KeychainError, since epoch: Int) {
        let forgotten = state.withLock { state -> [ClassKey]? in
            let wasUnlocked = state.lock == .unlocked
            guard state.epoch == epoch, !state.isForgetting, !state.machine.handle(.tokenLost).isEmpty else {
                return nil
            }
            if wasUnlocked { state.loss = .tokenRemoved }
            state.absence = error
            state.search.begin()
            state.owesLogout = false
            state.metadataKeys = [:]
            if lateKeys.contains(indexClassKey) { state.index = nil }
            let keys = Array(state.classKeys.values)
            state.classKeys = [:]
            return keys
        }
        // Their sessions close when the last user lets go of them.
        if forgotten != nil { token.dropSessions() }
    }

    private func loseLogin(since epoch: Int) {
        let lost = state.withLock { state in
            guard state.epoch == epoch, !state.isForgetting, !state.machine.handle(.loginLost).isEmpty else {
                return false
            }
            state.loss = .loginLost
            return true
        }
        // Private session objects went with the login, or are destroyed here; what fails is gone already.
        guard lost else { return }
        for key in takeKeysOut() { try? key.destroy() }
    }

    /// The `dk` class key of the token that is found again: proof that it is the keychain's.
    ///
    /// Nil if that key is one that the
    /// host holds: without a login there is nothing to prove it by but what the token says about itself.
    private func keyOfFoundToken() throws(KeychainError) -> ClassKey? {
        do { try token.findAgain() } catch { throw KeychainError(error, .open) }
        let id = try currentKey(for: .always, .open)
        guard availability(of: id) == .always else { return nil }
        guard let record = records[id] else { throw KeychainError(.internalError, .open) }
        let key = try ClassKeyMaker(keychain, token, .open).make(record)
        _ = try KeyEnvelope(keychain: keychain, purpose: .metadataKey).open(record.sealedMetadataKey, under: key, .open)
        return key
    }

    private func restartModule() throws(KeychainError) -> Bool {
        do { return try token.module.reinitialize() } catch { throw KeychainError(error, .open) }
    }
}

extension KeychainError {
    /// What the token's function returned, if one failed.
    fileprivate var returnValue: ReturnValue? {
        guard case .pkcs11(_, let value) = cause else { return nil }
        return ReturnValue(rawValue: value)
    }

    /// Whether it tells of the token, and not of the item or the caller.
    var isOfToken: Bool { returnValue != nil || code == .wrongToken }
}
