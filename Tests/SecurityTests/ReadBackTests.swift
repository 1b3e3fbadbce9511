// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

/// Attributes that were read back are a query, and changes: the old wrappers live on it.
@Suite struct ReadBackTests {
    /// Runs `body` with a keychain of two items and the attributes of the first, its class put back.
    private func withReadBack(_ more: Query = [:], _ body: (NSMutableDictionary) throws -> Void) rethrows {
        try withKeychain { _ in
            let full: Query = [
                kSecAttrLabel: "l", kSecAttrGeneric: Data([1]), kSecAttrComment: "c", kSecAttrDescription: "d",
                kSecAttrCreator: 77, kSecAttrIsInvisible: true,
            ]
            add(password("a", full.merging(more) { _, new in new }))
            add(password("b"))
            let found = attributes(password("a", value: nil))
            let query = NSMutableDictionary(dictionary: found)
            query[kSecClass] = kSecClassGenericPassword
            try body(query)
        }
    }

    @Test func `Read-back attributes find their item`() {
        withReadBack { query in
            query[kSecReturnAttributes] = true
            var object: AnyObject?
            let status = unsafe SecItemCopyMatching(query, &object)
            #expect(status == errSecSuccess && (object as? [String: Any])?["acct"] as? String == "a")
        }
    }

    @Test func `Read-back attributes with the value are query and changes of an update`() throws {
        try withReadBack { query in
            let changes = try #require(query.mutableCopy() as? NSMutableDictionary)
            changes.removeObject(forKey: kSecClass)
            changes[kSecValueData] = Data("new".utf8)
            #expect(SecItemUpdate(query, changes) == errSecSuccess)
            #expect(value(password("a", value: nil)) == "new")
            #expect(value(password("b", value: nil)) == "swordfish")
        }
    }

    @Test func `Read-back attributes delete their item alone`() {
        withReadBack { query in
            #expect(SecItemDelete(query) == errSecSuccess)
            #expect(exists(password("a", value: nil)) == errSecItemNotFound)
            #expect(exists(password("b", value: nil)) == errSecSuccess)
        }
    }

    @Test func `Read-back attributes add an equal item after the first is gone`() {
        withReadBack { query in
            SecItemDelete(query)
            #expect(add(query) == errSecSuccess)
            #expect(attributes(password("a", value: nil))["labl"] as? String == "l")
        }
    }

    @Test func `Read-back attributes with rules contradict themselves`() throws {
        let object = try #require(rules(kSecAttrAccessibleAlways))
        withReadBack([kSecAttrAccessControl: object]) { query in
            #expect(exists(query) == errSecParam)
            query.removeObject(forKey: kSecAttrAccessControl)
            #expect(exists(query) == errSecSuccess)
        }
    }

    @Test func `A modification date that was read before a write finds nothing after it`() {
        withReadBack { query in
            #expect(update(passwords(), [kSecAttrLabel: "newer"]) == errSecSuccess)
            #expect(SecItemDelete(query) == errSecItemNotFound)
        }
    }
}
