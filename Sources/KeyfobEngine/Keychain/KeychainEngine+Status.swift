// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault
internal import Synchronization

extension KeychainEngine {
    /// The state of keychain, token and class keys; asks the token, and looks for it if it is gone; needs no login.
    ///
    /// - Throws: the store's faults.
    package func status() throws(KeychainError) -> KeychainStatus {
        let vault = core.vault
        checkToken()
        // What keeps the token from answering is told as the reason of the state.
        let info = vault.absence == nil ? try? vault.token.info() : nil
        let lockState = vault.lockState
        let uses = try core.store.classKeyUse()
        let records = try core.store.classKeys()
        let keys = records.compactMap { record -> KeychainStatus.Key? in
            guard let key = KeyRecord(record) else { return nil }
            let use = uses.first { $0.classKey == record.classKey && $0.generation == record.generation }
            return KeychainStatus.Key(
                id: key.id, suite: key.suite, residence: key.residence,
                isUsable: core.vault.allows(key.id), items: use?.items ?? 0,
                seals: record.seals, needsRotation: record.seals >= SealCounters.warning)
        }
        var status = KeychainStatus(
            home: home.path, keychain: vault.keychain, lockState: lockState, token: vault.token.identity,
            tokenURI: vault.token.uri.string, absence: vault.absence, triesLeft: info?.triesLeft ?? .unknown,
            isSoftwareToken: configuration.isSoftwareToken, pinSource: configuredPINSource,
            pinentry: configuration.pinentry, keys: keys, items: uses.reduce(0) { $0 + $1.items },
            process: .current(), lastLock: vault.lastLock,
            presence: vault.presenceRecord.map { $0.suite == nil ? .refused : .enforced },
            hasPINPad: info?.flags.contains(.protectedAuthenticationPath) ?? false,
            lacksUserPIN: info.map { !$0.flags.contains(.userPINInitialized) } ?? false)
        status.isModuleIsolated = vault.token.module.isIsolated
        status.itemKeyCache = vault.itemKeyCache
        return status
    }

    /// Asks the token whether it is there and logged in, or looks for it if it was gone; says in the log what changed.
    ///
    /// Blocks for a few calls on the token, or for a new start of its module.
    package func checkToken() {
        guard !isClosed.load(ordering: .sequentiallyConsistent) else { return }
        core.vault.checkToken()
        let (after, returns) = (core.vault.lockState, core.vault.returns)
        if core.vault.dateLoss(WallClock.now()) == .loginLost {
            Log.shared.notice("keychain \(home.path): another program logged out of the token; it is locked")
        }
        // An operation may have met the change before.
        let told = presence.withLock { presence in
            defer { presence = TokenPresence(isThere: after != .noToken, returns: returns) }
            return presence
        }
        if told.isThere, after == .noToken {
            Log.shared.error("keychain \(home.path): the token is gone, and with it every key that was usable")
        } else if told.returns < returns, after != .noToken {
            Log.shared.notice("keychain \(home.path): the token is back; it has to be unlocked again")
        }
    }

    /// Counts the times that the token was gone and came back: after each the keychain was before first unlock.
    package var tokenReturns: Int { core.vault.returns }
}

/// What the log was told of the token.
struct TokenPresence: Sendable {
    var isThere = true
    var returns = 0
}
