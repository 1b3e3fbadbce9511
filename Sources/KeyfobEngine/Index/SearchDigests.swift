// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

/// Which digests an item is stored under, and which a query asks for.
enum SearchDigests {
    /// The digests of every searchable attribute that an item has.
    static func of(_ attributes: AttributeSet, in scope: Scope, _ index: ItemIndex) -> [[UInt8]] {
        var digests: [[UInt8]] = []
        for schema in scope.name.itemClass.schema where isIndexed(schema.name) {
            guard let value = attributes[schema.name] else { continue }
            digests.append(index.search(schema.name, value, kind: schema.kind))
        }
        return digests
    }

    /// What a query selects, or nil if no item can match.
    ///
    /// A query that gives the whole key of its class goes by the key's digest, any other by those of its attributes.
    static func selection(_ query: ItemQuery, in scopes: [Scope], _ index: ItemIndex) -> ItemSelection? {
        var selection = ItemSelection(scopes: scopes.compactMap(\.id))
        selection.classKey = query.accessibility?.rawValue
        guard !selection.scopes.isEmpty else { return nil }
        let schema = query.itemClass.schema
        let isKeyed = !schema.isEmpty && schema.allSatisfy { !$0.isKey || query.attributes[$0.name] != nil }
        if let reference = query.persistentReference {
            selection.kind = .uuid(reference.uuid)
        } else if isKeyed {
            selection.kind = .key(tuple: index.tuple(query.itemClass, query.attributes))
        }
        for (name, value) in query.attributes {
            switch name {
            case .tombstone:
                guard value == .number(0) else { return nil }
            case .multiUser:
                guard value.matches(.text(""), as: .data) else { return nil }
            case .sha1:
                // Made from the value at each answer, so it finds nothing.
                return nil
            default:
                guard let attribute = query.itemClass.schema(of: name) else { return nil }
                if attribute.isKey, case .key = selection.kind { continue }
                selection.filters.append(index.search(name, value, kind: attribute.kind))
            }
        }
        return selection
    }

    private static func isIndexed(_ name: AttributeName) -> Bool {
        switch name {
        case .accessGroup, .synchronizable, .accessible, .accessControl, .sha1, .tombstone, .multiUser: false
        default: true
        }
    }
}
