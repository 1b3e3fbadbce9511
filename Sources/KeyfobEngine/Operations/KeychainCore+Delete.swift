// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

extension KeychainCore {
    /// SecItemDelete: digests find the rows, one transaction removes them; nothing has to open, so it works while locked,
    /// unless the query has post-filters.
    func delete(
        _ request: DeleteRequest, _ entitlements: Entitlements, _ trace: AccessTrace? = nil
    ) throws(KeychainError) {
        let scopes = try writableScopes(request.query, entitlements, .delete)
        guard let selection = SearchDigests.selection(request.query, in: scopes, try vault.index(.delete)) else {
            throw Self.notFound(.delete)
        }
        let rows = try doomed(request.query, selection, scopes)
        let numbers = rows.map(\.id)
        let deleted = try store.write(.delete, alone: rows.count > Self.largeWrite) {
            (transaction) throws(KeychainError) in
            try transaction.delete(numbers)
        }
        // Somebody else may have deleted them meanwhile.
        guard deleted > 0 else { throw Self.notFound(.delete) }
        vault.wipeItemKeys(of: rows.lazy.map(\.uuid))
        guard let trace else { return }
        for row in rows {
            if let scope = scopes.first(where: { $0.id == row.scope }) { trace.touch(row.uuid, in: scope) }
        }
    }

    /// What is kept of a row that goes.
    private struct Doomed {
        let id: Int64
        let uuid: ItemUUID
        let scope: Int64

        init(_ row: SealedItem) {
            (id, uuid, scope) = (row.id, row.uuid, row.scope)
        }
    }

    /// The rows to delete, at least one.
    private func doomed(
        _ query: ItemQuery, _ selection: ItemSelection, _ scopes: [Scope]
    ) throws(KeychainError) -> [Doomed] {
        var rows: [Doomed] = []
        var missingKey: KeychainError?
        try forEachRow(selection, query, withValues: false) { (row) throws(KeychainError) in
            guard query.hasPostFilters else {
                if selection.filters.isEmpty || !isOther(row, than: query, in: scopes) { rows.append(Doomed(row)) }
                return
            }
            do throws(OpenFailure) {
                if try passes(row, query, scopes) { rows.append(Doomed(row)) }
            } catch {
                guard case .unavailable(let error) = error else { return }
                guard Self.isMissingKey(error) else { throw error }
                missingKey = error
            }
        }
        guard !rows.isEmpty else { throw missingKey ?? Self.notFound(.delete) }
        return rows
    }

    /// Whether a row opens and has what the query asks for: one that cannot be read is not known to be meant.
    private func passes(_ row: SealedItem, _ query: ItemQuery, _ scopes: [Scope]) throws(OpenFailure) -> Bool {
        guard let item = item(row, in: scopes) else { return false }
        try requireUsable(item, .delete)
        do throws(OpenFailure) {
            let attributes = try item.attributes(.delete)
            return fits(attributes, query) && passes(attributes, query)
        } catch {
            if case .damaged(let fault) = error { report(item, fault, column: "attributes") }
            throw error
        }
    }

    /// Whether a row opens and turns out not to be what the search table led to; what cannot be opened is taken at its
    /// word, or a damaged item could never be deleted.
    private func isOther(_ row: SealedItem, than query: ItemQuery, in scopes: [Scope]) -> Bool {
        guard let item = item(row, in: scopes), !item.isGuarded,
            vault.allows(item.key),
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
        return try directory.scopes(for: query, entitlements, forWriting: true, operation)
    }
}
