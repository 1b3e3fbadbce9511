// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct SecItemDeleteTests {
    @Test func `Every match is deleted`() {
        withKeychain { keychain in
            for account in ["a", "b"] { add(password(account)) }
            add(password("c", service: "other"))
            #expect(delete(passwords([kSecAttrService: "shop"])) == errSecSuccess)
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `Nothing to delete is not found`() {
        withKeychain { _ in #expect(delete(passwords()) == errSecItemNotFound) }
    }

    @Test func `A class alone deletes its local items in all groups`() {
        withKeychain { keychain in
            add(password("a"))
            add(password("b", [kSecAttrAccessGroup: "test.shared"]))
            add(password("c", [kSecAttrSynchronizable: true]))
            add([kSecClass: kSecClassInternetPassword])
            #expect(delete(passwords()) == errSecSuccess)
            #expect(keychain.items.count == 2)
        }
    }

    @Test func `Synchronizable items are deleted if asked for`() {
        withKeychain { keychain in
            for sync in [false, true] { add(password("a", [kSecAttrSynchronizable: sync])) }
            #expect(delete(passwords([kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(keychain.items.map(\.isSynchronizable) == [false])
            add(password("b", [kSecAttrSynchronizable: true]))
            #expect(delete(passwords([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecSuccess)
            #expect(keychain.items.isEmpty)
        }
    }

    @Test func `A match key is a bad parameter, and nothing is deleted`() {
        withKeychain { keychain in
            add(password())
            for (key, value) in [
                (kSecMatchLimit, kSecMatchLimitOne), (kSecMatchLimit, 1), (kSecMatchLimit, -1),
                (kSecMatchTrustedOnly, true),
            ] as [(CFString, Any)] {
                #expect(delete(passwords([key: value])) == errSecParam)
            }
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `The limit all is taken as what a delete does anyway`() {
        withKeychain { keychain in
            for account in ["a", "b"] { add(password(account)) }
            add(password("c", service: "other"))
            #expect(delete(passwords([kSecAttrService: "shop", kSecMatchLimit: kSecMatchLimitAll])) == errSecSuccess)
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `The limit all excuses no other match key`() {
        withKeychain { keychain in
            add(password())
            let query = passwords([kSecMatchLimit: kSecMatchLimitAll, kSecMatchTrustedOnly: true])
            #expect(delete(query) == errSecParam)
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `Return keys are ignored`() {
        withKeychain { _ in
            add(password())
            #expect(delete(passwords([kSecReturnAttributes: true, kSecReturnData: true])) == errSecSuccess)
        }
    }

    @Test func `A value is no filter`() {
        withKeychain { _ in
            add(password())
            #expect(delete(passwords([kSecValueData: "text, as KeychainItemWrapper has it"])) == errSecSuccess)
        }
    }

    @Test func `A group that is not the caller's is refused, even in a malformed query`() {
        withKeychain { keychain in
            #expect(delete(passwords([kSecAttrAccessGroup: "theirs"])) == errSecMissingEntitlement)
            #expect(keychain.entitlementQuestions == 0)
            #expect(delete(passwords([kSecAttrAccessGroup: "theirs", kSecMatchLimit: 1])) == errSecMissingEntitlement)
            #expect(delete([kSecAttrAccessGroup: "theirs"]) == errSecMissingEntitlement)
        }
    }

    @Test func `The token's group cannot be deleted from`() {
        withKeychain(ModelService(groups: ["mine", "com.apple.token"])) { _ in
            let query = passwords([kSecAttrAccessGroup: kSecAttrAccessGroupToken])
            #expect(exists(query) == errSecItemNotFound)
            #expect(delete(query) == errSecMissingEntitlement)
        }
    }

    @Test func `A malformed group is no reason to ask about it`() {
        withKeychain { keychain in
            #expect(delete(passwords([kSecAttrAccessGroup: 5])) == errSecParam)
            #expect(keychain.entitlementQuestions == 0)
        }
    }
}
