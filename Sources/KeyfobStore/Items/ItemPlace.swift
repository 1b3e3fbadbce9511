// SPDX-License-Identifier: Apache-2.0

/// The columns of an item that indexes hold: a change that leaves them as they are touches no index of the table.
struct ItemPlace: Hashable {
    let scope: Int64
    let tuple: [UInt8]
    let extra: [UInt8]
    let classKey: Int64
    let generation: Int64

    init(scope: Int64, tuple: [UInt8], extra: [UInt8], classKey: Int64, generation: Int64) {
        self.scope = scope
        self.tuple = tuple
        self.extra = extra
        self.classKey = classKey
        self.generation = generation
    }

    /// The place that an item is to have.
    init(of item: NewItem) {
        self.init(
            scope: item.scope, tuple: item.tuple, extra: item.extra, classKey: Int64(item.classKey),
            generation: Int64(item.generation))
    }
}
