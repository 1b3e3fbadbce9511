// SPDX-License-Identifier: Apache-2.0
import KeyfobModel

@testable import KeyfobStore

extension KeychainRecord {
    static let sample = KeychainRecord(
        uuid: Array(1...16), created: 800_000_000,
        token: TokenIdentity(label: "work", manufacturer: "maker", model: "v2", serial: "0042"),
        indexKey: [9, 8, 7])
}

extension ClassKeyRecord {
    static func sample(_ classKey: UInt8 = 1, generation: UInt32 = 1) -> ClassKeyRecord {
        ClassKeyRecord(
            classKey: classKey, generation: generation, suite: 1, residence: 2, state: 3, wrapped: nil,
            metadataKey: [5, 5, 5])
    }
}

/// 16 bytes that only `number` and `kind` decide.
func digest(_ number: Int, kind: UInt8 = 0) -> [UInt8] {
    var bytes = [UInt8](repeating: kind, count: 16)
    let mixed = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: mixed >> UInt64(index * 8)) }
    return bytes
}

func uuid(_ number: Int) -> ItemUUID {
    guard let uuid = ItemUUID(digest(number, kind: 0xEE)) else { preconditionFailure("a UUID has 16 bytes") }
    return uuid
}

/// An item with its own UUID and tuple, and the digests that are given.
func item(
    _ number: Int, scope: Int64 = 1, classKey: UInt8 = 1, value: [UInt8]? = [1, 2, 3], searchDigests: [[UInt8]] = []
) -> NewItem {
    NewItem(
        uuid: uuid(number), scope: scope, tuple: digest(number, kind: 1), classKey: classKey, generation: 1,
        metadata: [7, UInt8(truncatingIfNeeded: number)], value: value, searchDigests: searchDigests)
}

/// An item with four search digests, two of them its own.
func quickItem(_ number: Int) -> NewItem {
    item(
        number,
        searchDigests: [digest(number, kind: 2), digest(number, kind: 3), digest(0, kind: 4), digest(number % 7)])
}

/// A store with one scope, number 1.
func makeStore(_ folder: ScratchFolder) throws(KeychainError) -> ItemStore {
    let store = try ItemStore.create(folder.file("store.db"), .sample, [.sample()])
    _ = try store.write { (transaction) throws(KeychainError) in
        try transaction.scope(digest: digest(1, kind: 9), sealed: [1])
    }
    return store
}

extension ItemStore {
    /// Adds one item in a write of its own.
    @discardableResult
    func add(_ item: NewItem) throws(KeychainError) -> Int64 {
        try write(.add) { (transaction) throws(KeychainError) in try transaction.insert(item) }
    }
}
