// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct PersistentReferenceTests {
    /// Runs `body` with a keychain that holds one item and its reference.
    private func withReference(_ more: Query = [:], _ body: (Data) throws -> Void) throws {
        try withKeychain { _ in
            let (_, object) = adding(password("bob", more.merging([kSecReturnPersistentRef: true]) { _, new in new }))
            try body(try #require(object as? Data))
        }
    }

    @Test func `A reference finds its item, in an array too`() throws {
        try withReference { reference in
            #expect(value([kSecValuePersistentRef: reference]) == "swordfish")
            let all: Query = [
                kSecValuePersistentRef: reference, kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
            ]
            #expect((copying(all).object as? [Data])?.count == 1)
        }
    }

    @Test func `A reference finds a synchronizable item without being told`() throws {
        try withReference([kSecAttrSynchronizable: true]) { reference in
            #expect(exists([kSecValuePersistentRef: reference]) == errSecSuccess)
            let query: Query = [
                kSecValuePersistentRef: reference, kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ]
            #expect(exists(query) == errSecSuccess)
        }
    }

    @Test func `Any attribute beside a reference is a bad parameter in a copy`() throws {
        try withReference { reference in
            let others: Query = [
                kSecAttrAccount: "bob", kSecAttrAccessGroup: "test.default", kSecAttrLabel: "x",
                kSecAttrSynchronizable: false, kSecAttrAccessible: "ak",
            ]
            for (key, value) in others {
                #expect(exists([kSecValuePersistentRef: reference, key: value]) == errSecParam, "\(key)")
            }
            #expect(exists([kSecValuePersistentRef: reference, kSecAttrSynchronizable: true]) == errSecParam)
            #expect(exists([kSecValuePersistentRef: reference, kSecUseDataProtectionKeychain: true]) == errSecSuccess)
        }
    }

    @Test func `What is no reference is a bad parameter`() throws {
        try withReference { reference in
            let bad: [Any] = [
                "genp", 1, Data(), reference.dropLast(), reference + [0], Data("xxxx".utf8) + reference.dropFirst(4),
            ]
            for value in bad { #expect(exists([kSecValuePersistentRef: value]) == errSecParam, "\(value)") }
        }
    }

    @Test func `The reference of a deleted item finds nothing, nor that of its successor`() throws {
        try withReference { reference in
            #expect(delete([kSecValuePersistentRef: reference]) == errSecSuccess)
            #expect(delete([kSecValuePersistentRef: reference]) == errSecItemNotFound)
            add(password())
            #expect(exists([kSecValuePersistentRef: reference]) == errSecItemNotFound)
        }
    }

    @Test func `A reference stays through updates, even of the primary key`() throws {
        try withReference { reference in
            #expect(update(passwords(), [kSecAttrAccount: "eve", kSecValueData: Data("x".utf8)]) == errSecSuccess)
            #expect(value([kSecValuePersistentRef: reference]) == "x")
            let (_, object) = copying(passwords([kSecReturnPersistentRef: true]))
            #expect(object as? Data == reference)
        }
    }

    @Test func `Update and delete take attributes beside a reference as further conditions`() throws {
        try withReference { reference in
            let other: Query = [kSecValuePersistentRef: reference, kSecAttrAccount: "eve"]
            #expect(update(other, [kSecAttrLabel: "x"]) == errSecItemNotFound)
            #expect(delete(other) == errSecItemNotFound)
            let same: Query = [kSecValuePersistentRef: reference, kSecAttrAccount: "bob"]
            #expect(update(same, [kSecAttrLabel: "x"]) == errSecSuccess)
            #expect(delete(same) == errSecSuccess)
        }
    }

    @Test func `The reference of an item in a group that the caller lost finds nothing`() throws {
        try withKeychain { keychain in
            let (_, object) = adding(password("bob", [kSecReturnPersistentRef: true]))
            let reference = try #require(object as? Data)
            keychain.groups = [.init("other")]
            #expect(exists([kSecValuePersistentRef: reference]) == errSecItemNotFound)
        }
    }
}
