// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct ImplicitFilterTests {
    private func accounts(_ more: Query) -> [String] {
        var query = passwords([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll])
        query.merge(more) { _, new in new }
        return (copying(query).object as? [[String: Any]] ?? []).compactMap { $0["acct"] as? String }
    }

    @Test func `Synchronizable items are seen only if asked for`() {
        withKeychain { _ in
            add(password("local"))
            add(password("synced", [kSecAttrSynchronizable: true]))
            #expect(accounts([:]) == ["local"])
            #expect(accounts([kSecAttrSynchronizable: false]) == ["local"])
            #expect(accounts([kSecAttrSynchronizable: true]) == ["synced"])
            #expect(accounts([kSecAttrSynchronizable: 1]) == ["synced"])
            #expect(accounts([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == ["local", "synced"])
        }
    }

    @Test func `All groups of the caller are searched, or the one that is named`() {
        withKeychain { _ in
            add(password("first"))
            add(password("second", [kSecAttrAccessGroup: "test.shared"]))
            #expect(accounts([:]) == ["first", "second"])
            #expect(accounts([kSecAttrAccessGroup: "test.shared"]) == ["second"])
        }
    }

    @Test func `A group that is not the caller's is refused, even in another case`() {
        withKeychain { _ in
            for group in ["theirs", "TEST.default", "test.default "] {
                #expect(exists(passwords([kSecAttrAccessGroup: group])) == errSecMissingEntitlement, "\(group)")
            }
        }
    }

    @Test func `Items of groups that the caller has not got are not found`() {
        withKeychain { keychain in
            add(password())
            keychain.groups = [.init("other")]
            #expect(exists(passwords()) == errSecItemNotFound)
        }
    }

    @Test func `A caller without groups is refused everything`() {
        withKeychain(ModelService(groups: [])) { _ in
            #expect(add(password()) == errSecMissingEntitlement)
            #expect(exists(passwords()) == errSecMissingEntitlement)
            #expect(update(passwords(), [:]) == errSecMissingEntitlement)
            #expect(delete(passwords()) == errSecMissingEntitlement)
        }
    }

    @Test func `A malformed query is reported before the group`() {
        withKeychain { keychain in
            #expect(exists(passwords([kSecAttrAccessGroup: "theirs", kSecAttrLabel: true])) == errSecParam)
            #expect(keychain.entitlementQuestions == 0)
        }
    }

    @Test func `An accessibility restricts`() {
        withKeychain { _ in
            add(password("a"))
            add(password("b", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
            #expect(accounts([kSecAttrAccessible: kSecAttrAccessibleAlways]) == ["b"])
            #expect(accounts([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == ["a"])
        }
    }

    @Test func `All conditions must hold`() {
        withKeychain { _ in
            add(password("a", [kSecAttrLabel: "x"]))
            add(password("b", [kSecAttrLabel: "x", kSecAttrComment: "y"]))
            #expect(accounts([kSecAttrLabel: "x", kSecAttrComment: "y"]) == ["b"])
            #expect(accounts([kSecAttrLabel: "x", kSecAttrComment: "z"]).isEmpty)
        }
    }

    @Test func `A value in a query is no filter, of whatever type`() {
        withKeychain { _ in
            add(password())
            #expect(exists(passwords([kSecValueData: Data("other".utf8)])) == errSecSuccess)
            #expect(exists(passwords([kSecValueData: "text"])) == errSecSuccess)
        }
    }

    @Test func `An access control in a query is no filter`() throws {
        let object = try #require(rules(kSecAttrAccessibleAlways))
        withKeychain { _ in
            add(password())
            #expect(exists(passwords([kSecAttrAccessControl: object])) == errSecSuccess)
        }
    }

    @Test func `Markers that every item has are no filter, others find nothing`() {
        withKeychain { _ in
            add(password())
            #expect(exists(passwords([kSecAttrTombstone: 0, kSecAttrMultiUser: Data()])) == errSecSuccess)
            #expect(exists(passwords([kSecAttrTombstone: 1])) == errSecItemNotFound)
            #expect(exists(passwords([kSecAttrMultiUser: Data([1])])) == errSecItemNotFound)
        }
    }

    @Test func `Matching is exact in case`() {
        withKeychain { _ in
            add(password("Bob"))
            #expect(exists(password("bob", value: nil)) == errSecItemNotFound)
            #expect(exists(password("bob", value: nil, [kSecMatchCaseInsensitive: true])) == errSecItemNotFound)
        }
    }
}
