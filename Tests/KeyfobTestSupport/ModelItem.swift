// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel

/// One item of `ModelService`.
package struct ModelItem: Sendable {
    package var reference: PersistentReference
    package var accessGroup: AccessGroup
    package var isSynchronizable: Bool
    package var accessibility: Accessibility
    /// Nil: the bare object that stands for the accessibility.
    package var accessControl: AccessControl?
    /// All but `agrp`, `sync`, `pdmn` and `accc`, defaults filled in.
    package var attributes: AttributeSet
    package var value: [UInt8]?

    /// Whether both cannot be in one keychain: equal in class, group, `sync`, `tkid`, `vwht` and the class's own key.
    package func hasSameKey(as other: ModelItem) -> Bool {
        reference.itemClass == other.reference.itemClass && accessGroup == other.accessGroup
            && isSynchronizable == other.isSynchronizable
            && reference.itemClass.schema.allSatisfy { schema in
                guard schema.isKey || schema.name == .tokenID || schema.name == .syncViewHint else { return true }
                return Self.equal(attributes[schema.name], other.attributes[schema.name], as: schema.kind)
            }
    }

    /// Whether the query means the item, but for its post-filters; which groups the caller has is not its business.
    package func matches(_ query: ItemQuery) -> Bool {
        guard reference.itemClass == query.itemClass, query.accessibility ?? accessibility == accessibility,
            query.persistentReference ?? reference == reference, matches(query.synchronizable)
        else { return false }
        return query.attributes.allSatisfy { name, wanted in
            guard let mine = attributes[name], let schema = query.itemClass.schema(of: name) else { return false }
            return mine.matches(wanted, as: schema.kind)
        }
    }

    private func matches(_ filter: SynchronizableFilter) -> Bool {
        switch filter {
        case .localOnly: !isSynchronizable
        case .synchronizableOnly: isSynchronizable
        case .any: true
        }
    }

    /// Whether the item passes the post-filters, which are asked after it was read.
    package func passes(_ query: ItemQuery) -> Bool {
        // An answer has it, but no item does.
        var own = attributes
        own[.multiUser] = nil
        return matches(hostOrSubdomain: query.hostOrSubdomain) && query.textFilters.allSatisfy { $0.passes(own) }
    }

    /// Whether the server passes `kSecMatchHostOrSubdomainOfHost`.
    private func matches(hostOrSubdomain host: WipedBytes?) -> Bool {
        guard let host else { return true }
        guard case .text(let server) = attributes[.server] else { return false }
        let bytes = server.array
        let suffix = [UInt8(ascii: ".")] + host.array
        return bytes == host.array || (bytes.count >= suffix.count && bytes.suffix(suffix.count) == suffix[...])
    }

    private static func equal(_ left: AttributeValue?, _ right: AttributeValue?, as kind: AttributeKind) -> Bool {
        switch (left, right) {
        case (let left?, let right?): left.matches(right, as: kind)
        case (nil, nil): true
        default: false
        }
    }
}
