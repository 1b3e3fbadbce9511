// SPDX-License-Identifier: Apache-2.0

/// The identity of an item for its whole life: 16 random bytes, given when it is added, never used again.
package struct ItemUUID: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// 16 zeros: the UUID of no item.
    package static let zero = ItemUUID(zeros: ())

    private init(zeros: Void) {
        bytes = [UInt8](repeating: 0, count: 16)
    }

    /// The usual text form, lower case: 8-4-4-4-12 hexadecimal digits.
    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// What a caller may keep to find an item again (`kSecValuePersistentRef`): the class's four characters, then the UUID.
package struct PersistentReference: Hashable, Sendable {
    package let itemClass: ItemClass
    package let uuid: ItemUUID

    package init(itemClass: ItemClass, uuid: ItemUUID) {
        self.itemClass = itemClass
        self.uuid = uuid
    }

    /// Nil unless there are 20 bytes and the first four name a class.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 20, let uuid = ItemUUID(Array(bytes[4...])),
            let itemClass = ItemClass(code: String(decoding: bytes[..<4], as: UTF8.self))
        else { return nil }
        self.init(itemClass: itemClass, uuid: uuid)
    }

    /// The 20 bytes.
    package var bytes: [UInt8] { Array(itemClass.code.utf8) + uuid.bytes }
}
