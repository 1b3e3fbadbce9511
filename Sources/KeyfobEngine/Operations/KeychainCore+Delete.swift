// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

extension KeychainCore {
    /// SecItemDelete: digests find the rows, one transaction removes them; nothing has to open, so it works while locked.
    func delete(
        _ request: DeleteRequest, _ entitlements: Entitlements, _ trace: AccessTrace? = nil
    ) throws(KeychainError) {
        let scopes = try writableScopes(request.query, entitlements, .delete)
        guard let selection = SearchDigests.selection(request.query, in: scopes, vault.index) else {
            throw Self.notFound(.delete)
        }
        var rows = try store.select(selection, limit: nil, withValues: false)
        if !selection.filters.isEmpty { rows.removeAll { isOther($0, than: request.query, in: scopes) } }
        guard !rows.isEmpty else { throw Self.notFound(.delete) }
        let deleted = try store.write(.delete, alone: rows.count > Self.largeWrite) {
            (transaction) throws(KeychainError) in
            try transaction.delete(rows.map(\.id))
        }
        // Somebody else may have deleted them meanwhile.
        guard deleted > 0 else { throw Self.notFound(.delete) }
        guard let trace else { return }
        for row in rows {
            if let scope = scopes.first(where: { $0.id == row.scope }) { trace.touch(row.uuid, in: scope) }
        }
    }

    /// Whether a row opens and turns out not to be what the search table led to; what cannot be opened is taken at its
    /// word, or a damaged item could never be deleted.
    private func isOther(_ row: SealedItem, than query: ItemQuery, in scopes: [Scope]) -> Bool {
        guard let item = item(row, in: scopes), vault.lockState.allows(item.key.accessibility.availability),
            let attributes = try? item.attributes(.delete)
        else { return false }
        return !fits(attributes, query)
    }

    /// Above this many rows a write is kept out of the groups of others.
    static let largeWrite = 256

    /// The compartments that an update or a delete may touch.
    func writableScopes(
        _ query: ItemQuery, _ entitlements: Entitlements, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [Scope] {
        if let group = query.accessGroup, !entitlements.allows(group, forWriting: true) {
            throw Entitlements.missing(group, operation)
        }
        guard entitlements.isWildcard || entitlements.groups.contains(where: { $0 != .token }) else {
            throw Entitlements.missing(nil, operation)
        }
        return try directory.scopes(for: query, entitlements, forWriting: true)
    }
}
