// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct SecItemAddTests {
    @Test func `Adding without a return key gives no object`() {
        withKeychain { keychain in
            let (status, object) = adding(password())
            #expect(status == errSecSuccess && object == nil)
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `Adding twice returns errSecDuplicateItem and changes nothing`() {
        withKeychain { _ in
            add(password(value: "old"))
            #expect(add(password(value: "new")) == errSecDuplicateItem)
            #expect(value(password(value: nil)) == "old")
        }
    }

    @Test func `The same key in another group or synchronizable is another item`() {
        withKeychain { keychain in
            add(password())
            #expect(add(password("bob", [kSecAttrAccessGroup: "test.shared"])) == errSecSuccess)
            #expect(add(password("bob", [kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(keychain.items.count == 3)
        }
    }

    @Test func `A match key or an item list is a bad parameter, and nothing is stored`() {
        withKeychain { keychain in
            for key in [kSecMatchLimit, kSecMatchCaseInsensitive, kSecUseItemList, "m_Whatever"] {
                #expect(add(password("bob", [key: kSecMatchLimitOne])) == errSecParam, "\(key)")
            }
            #expect(keychain.items.isEmpty)
        }
    }

    @Test func `A persistent reference is a bad parameter`() throws {
        try withKeychain { _ in
            let (_, object) = adding(password("bob", [kSecReturnPersistentRef: true]))
            let reference = try #require(object as? Data)
            #expect(add(password("eve", [kSecValuePersistentRef: reference])) == errSecParam)
            #expect(add(password("eve", [kSecValuePersistentRef: Data([1])])) == errSecParam)
        }
    }

    @Test func `Skipping items that need a person is a bad parameter, the other choices are accepted`() {
        withKeychain { _ in
            #expect(add(password("a", [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])) == errSecParam)
            #expect(add(password("b", [kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow])) == errSecSuccess)
            #expect(add(password("c", [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == errSecSuccess)
            #expect(add(password("d", [kSecUseNoAuthenticationUI: true])) == errSecSuccess)
            #expect(add(password("e", [kSecUseOperationPrompt: "please"])) == errSecSuccess)
        }
    }

    @Test(arguments: [(true as AnyHashable), 1, "1"].map { SendableBox($0) })
    func `A synchronizable item is one however it is said`(_ yes: SendableBox) {
        withKeychain { keychain in
            add(password("a", [kSecAttrSynchronizable: yes.value]))
            #expect(keychain.items.map(\.isSynchronizable) == [true])
        }
    }

    @Test(arguments: [(false as AnyHashable), 0, "0", "syna"].map { SendableBox($0) })
    func `No, zero and any store a local item`(_ no: SendableBox) {
        withKeychain { keychain in
            add(password("a", [kSecAttrSynchronizable: no.value]))
            #expect(keychain.items.map(\.isSynchronizable) == [false])
        }
    }

    @Test func `Any other value of synchronizable is a bad parameter`() {
        withKeychain { _ in
            for value: Any in [2, -1, "yes", Data([1])] {
                #expect(add(password("a", [kSecAttrSynchronizable: value])) == errSecParam, "\(value)")
            }
        }
    }

    @Test func `A synchronizable item bound to this device is a bad parameter`() {
        withKeychain { _ in
            for code in ["aku", "cku", "dku", "akpu"] {
                let item = password("a", [kSecAttrSynchronizable: true, kSecAttrAccessible: code])
                #expect(add(item) == errSecParam, "\(code)")
            }
            #expect(add(password("a", [kSecAttrSynchronizable: true, kSecAttrAccessible: "ck"])) == errSecSuccess)
        }
    }

    @Test func `A synchronizable item takes no rules, but an object that was read back`() throws {
        let object = try #require(rules(kSecAttrAccessibleWhenUnlocked))
        try withKeychain { _ in
            #expect(add(password("a", [kSecAttrSynchronizable: true, kSecAttrAccessControl: object])) == errSecParam)
            add(password("b"))
            let bare = try #require(attributes(password("b", value: nil))["accc"])
            #expect(add(password("c", [kSecAttrSynchronizable: true, kSecAttrAccessControl: bare])) == errSecSuccess)
        }
    }

    @Test func `An access control gives the accessibility`() throws {
        let object = try #require(rules(kSecAttrAccessibleAlways))
        withKeychain { _ in
            add(password("a", [kSecAttrAccessControl: object]))
            #expect(attributes(passwords())["pdmn"] as? String == "dk")
            #expect(attributes(passwords())["accc"] as? SecAccessControl == object)
        }
    }

    @Test func `An access control that asks for a person reaches the keychain, which decides`() throws {
        let object = try #require(
            rules(kSecAttrAccessibleWhenUnlocked, .userPresence))
        withKeychain { _ in #expect(add(password("a", [kSecAttrAccessControl: object])) == errSecUnimplemented) }
    }

    @Test func `Without an accessibility an item is readable when unlocked`() {
        withKeychain { _ in
            add(password())
            #expect(attributes(passwords())["pdmn"] as? String == "ak")
        }
    }

    @Test func `Without a group an item goes to the caller's first`() {
        withKeychain(ModelService(groups: ["z", "a"])) { _ in
            add(password())
            #expect(attributes(passwords())["agrp"] as? String == "z")
        }
    }

    @Test func `A group that is not the caller's, or the token's, is refused`() {
        withKeychain(ModelService(groups: ["mine", "com.apple.token"])) { _ in
            #expect(add(password("a", [kSecAttrAccessGroup: "theirs"])) == errSecMissingEntitlement)
            #expect(add(password("a", [kSecAttrAccessGroup: kSecAttrAccessGroupToken])) == errSecMissingEntitlement)
        }
    }

    @Test func `A malformed query is reported before the group`() {
        withKeychain { keychain in
            #expect(add(password("a", [kSecAttrAccessGroup: "theirs", kSecAttrLabel: true])) == errSecParam)
            #expect(keychain.entitlementQuestions == 0)
        }
    }

    @Test(arguments: ["ggrp", "sysb", "pcss", "pcsk", "pcsi", "dspk"])
    func `An attribute of the framework needs an entitlement`(_ key: String) {
        withKeychain { _ in #expect(add(password("a", [key as CFString: "v"])) == errSecMissingEntitlement) }
    }

    @Test func `Dates, digest and markers that a caller gives are overwritten`() {
        withKeychain { keychain in
            keychain.now = 1000
            let given: Query = [
                kSecAttrCreationDate: Date.distantPast, kSecAttrModificationDate: Date.distantFuture,
                kSecAttrSHA1: Data([1]), kSecAttrTombstone: 1, kSecAttrMultiUser: Data([1]),
            ]
            #expect(add(password("a", given)) == errSecSuccess)
            let found = attributes(passwords())
            #expect(found["cdat"] as? Date == Date(timeIntervalSinceReferenceDate: 1000))
            #expect(found["mdat"] as? Date == Date(timeIntervalSinceReferenceDate: 1000))
            #expect(found["tomb"] as? Int == 0 && found["musr"] as? Data == Data())
        }
    }

    @Test func `Adding while the class key is locked is refused, a duplicate too`() {
        withKeychain { keychain in
            add(password())
            keychain.locked = [.whenUnlocked]
            #expect(add(password()) == errSecInteractionNotAllowed)
            #expect(add(password("eve")) == errSecInteractionNotAllowed)
            #expect(add(password("a", [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])) == errSecSuccess)
        }
    }

    @Test func `A result is set to nil before anything fails`() {
        withKeychain { _ in
            var object: AnyObject? = NSString("left over")
            let malformed = unsafe SecItemAdd([:] as CFDictionary, &object)
            #expect(malformed == errSecParam && object == nil)
        }
    }

    @Test func `The result of an add has the shape that was asked for`() throws {
        try withKeychain { _ in
            #expect(adding(password("a", [kSecReturnData: true])).object as? Data == Data("swordfish".utf8))
            #expect((adding(password("b", [kSecReturnPersistentRef: true])).object as? Data)?.count == 20)
            #expect(adding(password("c", [kSecReturnRef: true])).object == nil)
            let found = adding(password("d", [kSecReturnAttributes: true])).object
            let attributes = try #require(found as? [String: Any])
            #expect(attributes["acct"] as? String == "d" && attributes["sha1"] is Data)
            #expect(attributes["v_Data"] == nil && attributes["class"] == nil)
        }
    }

    @Test func `The attributes of an add have an access control only if one was given`() throws {
        let object = try #require(rules(kSecAttrAccessibleAlways))
        withKeychain { _ in
            let without = adding(password("a", [kSecReturnAttributes: true])).object as? [String: Any]
            #expect(without?["accc"] == nil && without?["pdmn"] as? String == "ak")
            let with = password("b", [kSecReturnAttributes: true, kSecAttrAccessControl: object])
            #expect((adding(with).object as? [String: Any])?["accc"] as? SecAccessControl == object)
        }
    }
}

/// A value that a test takes as its argument.
struct SendableBox: @unchecked Sendable, CustomTestStringConvertible {
    // @unchecked: holds literals of value types only.
    let value: AnyHashable

    init(_ value: AnyHashable) { self.value = value }

    var testDescription: String { "\(value)" }
}
