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
    let opening: ValueOpening
    let turns = UpdateTurns()

    /// A row in its compartment; nil (and logged) if it names no accessibility class, or another than its seal does;
    /// nil if it went with the token's passcode.
    func item(_ row: SealedItem, in scopes: [Scope]) -> StoredItem? {
        guard let scope = scopes.first(where: { $0.id == row.scope }),
            let item = StoredItem(row, scope: scope, vault: vault)
        else {
            Log.shared.warning("item row \(row.id) names the unknown class key \(row.classKey): skipped")
            return nil
        }
        // Before the lock state is asked: a row that only claims to be of a locked class must not refuse the others.
        if let named = Envelope.classKey(ofMetadata: row.metadata), named != item.key {
            report(item, .otherClassKey, column: "class_key")
            return nil
        }
        guard !vault.isGone(item.key) else { return nil }
        return item
    }

    /// Throws unless the item's class can be used now: to be asked before the item's person is.
    func requireUsable(_ item: StoredItem, _ operation: KeychainError.Operation) throws(OpenFailure) {
        do throws(KeychainError) { try vault.requireUsable(item.key, operation) } catch { throw .unavailable(error) }
    }

    /// Whether an opened item has what the query asks for.
    ///
    /// The search table says so too, but nothing binds its rows: a changed one must not pass one item off as another.
    func fits(_ attributes: AttributeSet, _ query: ItemQuery) -> Bool {
        for (name, value) in query.attributes {
            switch name {
            case .tombstone, .multiUser: continue
            default:
                guard let kind = query.itemClass.schema(of: name)?.kind, let own = attributes[name],
                    own.matches(value, as: kind)
                else { return false }
            }
        }
        return true
    }

    /// Whether a row's key is not to be had, so that the row is left alone and its neighbours are served.
    static func isMissingKey(_ error: KeychainError) -> Bool {
        switch (error.code, error.subject) {
        case (.notAvailable, .classKey), (.storeDamaged, .classKey): true
        default: false
        }
    }

    /// Tells the log of a row that does not open; it is skipped and its neighbours are served.
    func report(_ item: StoredItem, _ fault: Envelope.Fault, column: String) {
        Log.shared.warning("item \(item.reference.uuid.description): \(column) \(fault.words): skipped")
    }

    static func notFound(_ operation: KeychainError.Operation) -> KeychainError {
        KeychainError(.itemNotFound, operation)
    }
}
