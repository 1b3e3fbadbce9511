// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeychainWrappers
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct KeychainItemWrapperTests {
    @Test func `A wrapper without an item has empty texts and stores nothing`() {
        withKeychain { keychain in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            for key in [kSecAttrAccount, kSecAttrLabel, kSecAttrDescription, kSecValueData] {
                #expect(wrapper.object(forKey: key) as? String == "", "\(key)")
            }
            #expect(wrapper.object(forKey: kSecAttrGeneric) as? String == "id")
            #expect(wrapper.object(forKey: kSecAttrService) == nil)
            #expect(keychain.items.isEmpty)
        }
    }

    @Test func `Setting an object writes the item at once`() {
        withKeychain { keychain in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            wrapper.setObject("bob", forKey: kSecAttrAccount)
            #expect(keychain.items.count == 1 && wrapper.status == errSecSuccess)
            wrapper.setObject("swordfish", forKey: kSecValueData)
            #expect(keychain.items.first?.value == Array("swordfish".utf8))
            #expect(attributes()["gena"] as? String == "id")
        }
    }

    @Test func `A second wrapper of the identifier has what the first wrote`() {
        withKeychain { _ in
            let first = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            first.setObject("张三", forKey: kSecAttrAccount)
            first.setObject("swordfish", forKey: kSecValueData)
            let second = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            #expect(second.object(forKey: kSecAttrAccount) as? String == "张三")
            #expect(second.object(forKey: kSecValueData) as? String == "swordfish")
            second.setObject("newer", forKey: kSecValueData)
            #expect(second.status == errSecSuccess)
            #expect(first.object(forKey: kSecValueData) as? String == "swordfish")
        }
    }

    @Test func `Nil, an equal object and a key that is no text do nothing`() {
        withKeychain { keychain in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            wrapper.setObject(nil, forKey: kSecAttrAccount)
            wrapper.setObject("", forKey: kSecAttrAccount)
            wrapper.setObject("x", forKey: 5)
            #expect(keychain.items.isEmpty)
            #expect(wrapper.object(forKey: 5) == nil)
        }
    }

    @Test func `Keys are constants or plain text`() {
        withKeychain { _ in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            wrapper.setObject("shop", forKey: "svce")
            #expect(wrapper.object(forKey: kSecAttrService) as? String == "shop")
        }
    }

    @Test func `Two identifiers with the same account and service collide`() {
        withKeychain { keychain in
            let first = KeychainItemWrapper(identifier: "one", accessGroup: nil)
            let second = KeychainItemWrapper(identifier: "two", accessGroup: nil)
            first.setObject("a", forKey: kSecValueData)
            second.setObject("b", forKey: kSecValueData)
            #expect(second.status == errSecDuplicateItem)
            #expect(keychain.items.count == 1)
            second.setObject("bob", forKey: kSecAttrAccount)
            #expect(second.status == errSecSuccess && keychain.items.count == 2)
        }
    }

    @Test func `Resetting deletes the item and empties the texts, the identifier stays`() {
        withKeychain { keychain in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            wrapper.setObject("bob", forKey: kSecAttrAccount)
            wrapper.setObject("swordfish", forKey: kSecValueData)
            wrapper.resetKeychainItem()
            #expect(keychain.items.isEmpty && wrapper.status == errSecSuccess)
            #expect(wrapper.object(forKey: kSecValueData) as? String == "")
            #expect(wrapper.object(forKey: kSecAttrGeneric) as? String == "id")
        }
    }

    @Test func `Resetting deletes the item even if it was changed since`() {
        withKeychain { keychain in
            let reader = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            reader.setObject("bob", forKey: kSecAttrAccount)
            let writer = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            writer.setObject("label", forKey: kSecAttrLabel)
            reader.resetKeychainItem()
            #expect(keychain.items.isEmpty)
        }
    }

    @Test func `Resetting without an item deletes nothing`() {
        withKeychain { keychain in
            add("", service: "", value: nil)
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            wrapper.resetKeychainItem()
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `After a reset the wrapper writes a new item`() {
        withKeychain { keychain in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            wrapper.setObject("bob", forKey: kSecAttrAccount)
            wrapper.resetKeychainItem()
            wrapper.setObject("swordfish", forKey: kSecValueData)
            #expect(wrapper.status == errSecSuccess && keychain.items.count == 1)
        }
    }

    @Test func `An access group is where the item lives`() {
        withKeychain { keychain in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: "test.shared")
            wrapper.setObject("bob", forKey: kSecAttrAccount)
            #expect(keychain.items.map(\.accessGroup.name) == ["test.shared"])
        }
    }

    @Test func `An access group that is not the caller's is told by the status`() {
        withKeychain { _ in
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: "theirs")
            #expect(wrapper.status == errSecMissingEntitlement)
            wrapper.setObject("bob", forKey: kSecAttrAccount)
            #expect(wrapper.status == errSecMissingEntitlement)
        }
    }

    @Test func `Without an accessibility the item is readable when unlocked`() {
        withKeychain { _ in
            KeychainItemWrapper(identifier: "id", accessGroup: nil).setObject("bob", forKey: kSecAttrAccount)
            #expect(attributes()["pdmn"] as? String == "ak")
        }
    }

    @Test func `An accessibility can be given to a new item and to one that was read back`() {
        withKeychain { _ in
            let first = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            first.setObject(kSecAttrAccessibleAlwaysThisDeviceOnly, forKey: kSecAttrAccessible)
            #expect(attributes()["pdmn"] as? String == "dku")
            let second = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            second.setObject(kSecAttrAccessibleAfterFirstUnlock, forKey: kSecAttrAccessible)
            #expect(second.status == errSecSuccess)
            #expect(attributes()["pdmn"] as? String == "ck")
        }
    }

    @Test func `A secret that is no text is read as empty`() {
        withKeychain { _ in
            add("bob", service: "s", value: Data([0xFF]), [kSecAttrGeneric: "id"])
            let wrapper = KeychainItemWrapper(identifier: "id", accessGroup: nil)
            #expect(wrapper.object(forKey: kSecValueData) as? String == "")
            #expect(wrapper.object(forKey: kSecAttrAccount) as? String == "bob")
        }
    }
}
