// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

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
            isSoftwareToken: configuration.isSoftwareToken, pinSource: configuredPINSource,
            pinentry: configuration.pinentry, keys: keys, items: uses.reduce(0) { $0 + $1.items },
            process: .current(), presence: vault.presenceRecord.map { $0.suite == nil ? .refused : .enforced })
    }
}
