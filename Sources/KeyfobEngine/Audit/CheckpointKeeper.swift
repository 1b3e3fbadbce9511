// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

/// Who vouches for the log, and who remembers the newest checkpoint apart from it.
protocol CheckpointKeeper: Sendable {
    /// Seals a checkpoint; blocks for one token call.
    func seal(_ checkpoint: AuditCheckpoint) throws(KeychainError) -> [UInt8]

    /// Opens a sealed checkpoint by one token call; nil if it is no checkpoint of this keychain.
    func open(_ sealed: [UInt8]) throws(KeychainError) -> AuditCheckpoint?

    /// Remembers the newest one, durably, after the log's own file is on the disk.
    func keep(_ sealed: [UInt8]) throws(KeychainError)

    /// The one that was kept last, sealed.
    func kept() throws(KeychainError) -> [UInt8]?
}

/// The keychain's token and store.
struct KeychainCheckpoints: CheckpointKeeper {
    let core: KeychainCore

    func seal(_ checkpoint: AuditCheckpoint) throws(KeychainError) -> [UInt8] {
        let key = try core.vault.checkpointKey()
        let toCount = try core.seals.reserve(1, key, .audit)
        if toCount > 0 {
            try core.store.write(.audit) { (transaction) throws(KeychainError) in
                try core.count(toCount, key, in: transaction)
            }
        }
        return try core.vault.sealCheckpoint(checkpoint, under: key)
    }

    func open(_ sealed: [UInt8]) throws(KeychainError) -> AuditCheckpoint? { try core.vault.openCheckpoint(sealed) }

    func keep(_ sealed: [UInt8]) throws(KeychainError) {
        try core.store.write(.audit) { (transaction) throws(KeychainError) in
            try transaction.setAuditCheckpoint(sealed)
        }
    }

    func kept() throws(KeychainError) -> [UInt8]? { try core.store.auditCheckpoint() }
}
