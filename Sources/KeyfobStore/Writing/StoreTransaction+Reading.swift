// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// Reading inside a transaction: sees what it has written so far.
extension StoreTransaction {
    /// The item with that primary key, its value included.
    package func item(scope: Int64, tuple: [UInt8], extra: [UInt8]) throws(KeychainError) -> SealedItem? {
        try read { (reader) throws(ReadFault) in try reader.item(scope: scope, tuple: tuple, extra: extra) }
    }

    /// The item with that number, its value included.
    package func item(_ id: Int64) throws(KeychainError) -> SealedItem? {
        try read { (reader) throws(ReadFault) in try reader.item(id, withValue: true) }
    }

    /// The items that fit, as `ItemStore.select` gives them.
    package func select(
        _ selection: ItemSelection, after: Int64 = 0, limit: Int? = nil, withValues: Bool
    ) throws(KeychainError) -> [SealedItem] {
        try read { (reader) throws(ReadFault) in
            try reader.select(selection, after: after, limit: limit, withValues: withValues)
        }
    }

    /// The numbers of the items that fit, ascending; reads no item.
    package func ids(_ selection: ItemSelection) throws(KeychainError) -> [Int64] {
        try read { (reader) throws(ReadFault) in try reader.ids(selection) }
    }
}
