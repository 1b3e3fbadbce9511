// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

/// What `keyfob status` shows of an open keychain.
package struct KeychainStatus: Sendable {
    /// One class key.
    package struct Key: Hashable, Sendable {
        package let id: ClassKeyID
        package let suite: Suite
        package let residence: Residence
        /// Whether items of the class can be used in the present state.
        package let isUsable: Bool
        /// Rows sealed under it.
        package let items: Int
        /// How often it has sealed at most, of `SealCounters.limit`.
        package let seals: Int64
        /// Whether it has sealed so often that it should be rotated.
        package let needsRotation: Bool
    }

    package let home: String
    package let keychain: ItemUUID
    package let lockState: LockState
    package let token: TokenIdentity
    package let tokenURI: String
    /// What the token says about the user PIN right now.
    package let triesLeft: KeychainError.TriesLeft
    package let isSoftwareToken: Bool
    /// Newest generation last.
    package let keys: [Key]
    package let items: Int
    /// Bytes of secret memory, locked and not.
    package let lockedBytes: Int
    package let unlockedBytes: Int
    package let isDumpable: Bool
}

extension KeychainEngine {
    /// The state of keychain, token and class keys; asks the token, needs no login.
    ///
    /// - Throws: `.tokenFailed`, `.notAvailable` if the token does not answer; the store's faults.
    package func status() throws(KeychainError) -> KeychainStatus {
        let vault = core.vault
        let info: TokenInfo
        do { info = try vault.token.info() } catch { throw KeychainError(error, .status) }
        let lockState = vault.lockState
        let uses = try core.store.classKeyUse()
        let records = try core.store.classKeys()
        let keys = records.compactMap { record -> KeychainStatus.Key? in
            guard let key = KeyRecord(record) else { return nil }
            let use = uses.first { $0.classKey == record.classKey && $0.generation == record.generation }
            return KeychainStatus.Key(
                id: key.id, suite: key.suite, residence: key.residence,
                isUsable: lockState.allows(key.id.accessibility.availability), items: use?.items ?? 0,
                seals: record.seals, needsRotation: record.seals >= SealCounters.warning)
        }
        return KeychainStatus(
            home: home.path, keychain: vault.keychain, lockState: lockState, token: vault.token.identity,
            tokenURI: vault.token.uri.string, triesLeft: info.triesLeft,
            isSoftwareToken: configuration.isSoftwareToken, keys: keys, items: uses.reduce(0) { $0 + $1.items },
            lockedBytes: SecretArena.shared.lockedBytes, unlockedBytes: SecretArena.shared.unlockedBytes,
            isDumpable: ProcessHardening.isDumpable)
    }
}
