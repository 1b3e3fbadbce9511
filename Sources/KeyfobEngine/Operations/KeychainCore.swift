// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

/// The parts of an open keychain that its operations work with.
struct KeychainCore: Sendable {
    let vault: Vault
    let store: ItemStore
    let directory: ScopeDirectory
    let seals: SealCounters

    /// A row in its compartment; nil (and logged) if it names no accessibility class.
    func item(_ row: SealedItem, in scopes: [Scope]) -> StoredItem? {
        guard let scope = scopes.first(where: { $0.id == row.scope }),
            let item = StoredItem(row, scope: scope, vault: vault)
        else {
            Log.shared.warning("item row \(row.id) names the unknown class key \(row.classKey): skipped")
            return nil
        }
        return item
    }

    /// Tells the log of a row that does not open; it is skipped and its neighbours are served.
    func report(_ item: StoredItem, _ fault: Envelope.Fault, column: String) {
        Log.shared.warning("item \(item.reference.uuid.description): \(column) \(fault.words): skipped")
    }

    static func notFound(_ operation: KeychainError.Operation) -> KeychainError {
        KeychainError(.itemNotFound, operation)
    }
}
