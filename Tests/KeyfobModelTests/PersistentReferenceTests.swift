// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

struct PersistentReferenceTests {
    private let uuid = ItemUUID(Array(0x10...0x1f))

    @Test(arguments: ItemClass.allCases)
    func `A reference survives being written and read`(itemClass: ItemClass) throws {
        let reference = PersistentReference(itemClass: itemClass, uuid: try #require(uuid))
        #expect(PersistentReference(bytes: reference.bytes) == reference)
    }

    @Test func `A reference is the class's four characters and the UUID`() throws {
        let reference = PersistentReference(itemClass: .genericPassword, uuid: try #require(uuid))
        #expect(reference.bytes == Array("genp".utf8) + Array(0x10...0x1f))
    }

    @Test func `Bytes of another length are no reference`() throws {
        let bytes = PersistentReference(itemClass: .key, uuid: try #require(uuid)).bytes
        #expect(PersistentReference(bytes: bytes + [0]) == nil)
        #expect(PersistentReference(bytes: Array(bytes.dropLast())) == nil)
        #expect(PersistentReference(bytes: []) == nil)
    }

    @Test(arguments: ["GENP", "apls", "gen ", "\u{0}\u{0}\u{0}\u{0}"])
    func `An unknown class is no reference`(code: String) throws {
        #expect(PersistentReference(bytes: Array(code.utf8) + Array(0x10...0x1f)) == nil)
    }

    @Test func `Class characters that are no UTF-8 are no reference`() {
        #expect(PersistentReference(bytes: [0xFF, 0xFF, 0xFF, 0xFF] + Array(0x10...0x1f)) == nil)
    }

    @Test(arguments: [0, 15, 17])
    func `A UUID has 16 bytes`(count: Int) {
        #expect(ItemUUID(Array(repeating: 1, count: count)) == nil)
    }

    @Test func `A UUID is shown in groups of lower case digits`() {
        #expect(uuid?.description == "10111213-1415-1617-1819-1a1b1c1d1e1f")
    }
}
