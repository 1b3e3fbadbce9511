// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobStore

extension ItemQuery {
    /// Whether something of the query can only be asked of opened attributes.
    var hasPostFilters: Bool { hostOrSubdomain != nil || !textFilters.isEmpty }
}

extension KeychainCore {
    /// How many rows a query with post-filters takes at a time: most of them may go again.
    static let page = 256

    /// Whether an opened item passes what no digest could answer.
    func passes(_ attributes: AttributeSet, _ query: ItemQuery) -> Bool {
        if let host = query.hostOrSubdomain {
            guard let server = attributes[.server], HostMatch.matches(server, host) else { return false }
        }
        return query.textFilters.allSatisfy { $0.passes(attributes) }
    }

    /// Goes through the rows of a selection in the order in which they were added, in pages if the query has
    /// post-filters.
    func forEachRow(
        _ selection: ItemSelection, _ query: ItemQuery, withValues: Bool,
        _ body: (SealedItem) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let page = query.hasPostFilters ? Self.page : nil
        var after: Int64 = 0
        while true {
            let rows = try store.select(selection, after: after, limit: page, withValues: withValues)
            for row in rows {
                after = row.id
                try body(row)
            }
            guard let page, rows.count == page else { return }
        }
    }
}
