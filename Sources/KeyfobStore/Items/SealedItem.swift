// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// One item as it is stored: sealed blobs and keyed digests, nothing in clear that names the item.
package struct SealedItem: Hashable, Sendable {
    /// The row's number: grows with each insertion; not used again while the store is open.
    package let id: Int64
    package let uuid: ItemUUID
    package let scope: Int64
    /// The keyed digest of the class's own primary key attributes, 16 bytes.
    package let tuple: [UInt8]
    /// The keyed digest of what else makes the item unique, or empty.
    package let extra: [UInt8]
    /// The raw value of the accessibility class.
    package let classKey: UInt8
    package let generation: UInt32
    package let accessControl: [UInt8]
    /// Given by who writes; `StoreTransaction.replace` compares it.
    package let revision: Int64
    /// The sealed attributes.
    package let metadata: [UInt8]
    /// The sealed value; nil if the item has none or it was not asked for.
    package let value: [UInt8]?
}
