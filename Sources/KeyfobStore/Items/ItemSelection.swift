// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// Which items: those of the scopes that fit the kind, have every filter digest and, if given, the class key.
package struct ItemSelection: Hashable, Sendable {
    /// How items are found.
    package enum Kind: Hashable, Sendable {
        case all
        /// Every item with that tuple, whatever its `extra`.
        case key(tuple: [UInt8])
        case uuid(ItemUUID)
    }

    package var scopes: [Int64]
    package var kind: Kind
    /// Search digests that must all be there.
    package var filters: [[UInt8]]
    /// The raw value of an accessibility class; nil is any.
    package var classKey: UInt8?

    package init(scopes: [Int64], kind: Kind = .all, filters: [[UInt8]] = [], classKey: UInt8? = nil) {
        self.scopes = scopes
        self.kind = kind
        self.filters = filters
        self.classKey = classKey
    }
}
