// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// An item to insert, or what an item is to become.
package struct NewItem: Hashable, Sendable {
    package var uuid: ItemUUID
    package var scope: Int64
    /// 16 bytes.
    package var tuple: [UInt8]
    /// 16 bytes, or empty.
    package var extra: [UInt8]
    package var classKey: UInt8
    package var generation: UInt32
    package var accessControl: [UInt8]
    package var revision: Int64
    package var metadata: [UInt8]
    package var value: [UInt8]?
    /// The keyed digests it is found by, 16 bytes each; order and repetition mean nothing.
    package var searchDigests: [[UInt8]]

    package init(
        uuid: ItemUUID, scope: Int64, tuple: [UInt8], extra: [UInt8] = [], classKey: UInt8, generation: UInt32,
        accessControl: [UInt8] = [], revision: Int64 = 1, metadata: [UInt8], value: [UInt8]?,
        searchDigests: [[UInt8]]
    ) {
        self.uuid = uuid
        self.scope = scope
        self.tuple = tuple
        self.extra = extra
        self.classKey = classKey
        self.generation = generation
        self.accessControl = accessControl
        self.revision = revision
        self.metadata = metadata
        self.value = value
        self.searchDigests = searchDigests
    }
}
