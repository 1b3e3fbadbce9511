// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// Which of an item's copies a query means (`kSecAttrSynchronizable`).
package enum SynchronizableFilter: UInt8, Hashable, Sendable {
    case localOnly = 0
    case synchronizableOnly = 1
    case any = 2
}

/// What makes an item a match: all of it must hold.
///
/// Parsed and normalised; nothing in it is checked again.
package struct ItemQuery: Hashable, Sendable {
    /// The class of the items.
    package var itemClass: ItemClass
    /// Equality filters by attribute; `agrp`, `sync`, `pdmn` and `accc` are not in here but have members of their own.
    package var attributes: AttributeSet
    /// One group, or nil: every group of the caller.
    package var accessGroup: AccessGroup?
    package var synchronizable: SynchronizableFilter
    /// One accessibility class, or nil: all.
    package var accessibility: Accessibility?
    /// One item, or nil.
    ///
    /// With a reference the query's class is the reference's.
    package var persistentReference: PersistentReference?
    /// `kSecMatchHostOrSubdomainOfHost`: the item's server is this host or ends in a dot and this host.
    package var hostOrSubdomain: WipedBytes?
    /// Conditions on text, all of which must hold; asked of the items that everything else has left.
    ///
    /// An item whose attributes cannot be opened passes none: a locked one is `interactionNotAllowed`.
    package var textFilters: [TextFilter]

    package init(
        itemClass: ItemClass, attributes: AttributeSet = [:], accessGroup: AccessGroup? = nil,
        synchronizable: SynchronizableFilter = .localOnly, accessibility: Accessibility? = nil,
        persistentReference: PersistentReference? = nil, hostOrSubdomain: WipedBytes? = nil,
        textFilters: [TextFilter] = []
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.accessGroup = accessGroup
        self.synchronizable = synchronizable
        self.accessibility = accessibility
        self.persistentReference = persistentReference
        self.hostOrSubdomain = hostOrSubdomain
        self.textFilters = textFilters
    }
}
