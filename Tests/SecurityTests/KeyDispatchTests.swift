// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

/// What each key of a dictionary is taken for.
@Suite struct KeyDispatchTests {
    @Test(arguments: ["m", "", "x", "é"])
    func `A key of one character or none is a bad parameter`(_ key: String) {
        withKeychain { _ in #expect(exists(passwords([key as CFString: "v"])) == errSecParam) }
    }

    @Test(arguments: ["abcd", "srvr", "klbl", "atag", "ptcl", "UUID", "r_Da", "äöüß", "pcss", "ggrp"])
    func `Four characters that the class has not got are no such attribute`(_ key: String) {
        withKeychain { _ in #expect(exists(passwords([key as CFString: "v"])) == errSecNoSuchAttr) }
    }

    @Test(arguments: ["classy", "cfooo", "account", "kSecClass", "xyzzy", "Class", "éé"])
    func `A longer key that is none of Apple's is a bad parameter`(_ key: String) {
        withKeychain { _ in #expect(exists(passwords([key as CFString: "v"])) == errSecParam) }
    }

    @Test func `Match keys without meaning are accepted`() {
        withKeychain { _ in
            add(password())
            for key in ["m_SearchList", "m_ItemList", "m_CaseInsensitive", "m_SubjectContains", "m_FutureKey", "mm"] {
                #expect(exists(passwords([key as CFString: "v"])) == errSecSuccess, "\(key)")
            }
        }
    }

    @Test(arguments: ["r_Foo", "r_data", "u_Foo", "u_Keychain", "v_Foo", "v_data"])
    func `An unknown return, use or value key is a bad parameter`(_ key: String) {
        withKeychain { _ in #expect(exists(passwords([key as CFString: true])) == errSecParam) }
    }

    @Test func `A return key takes a boolean only`() {
        withKeychain { _ in
            add(password())
            for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
                for value: Any in [1, 0, "true", Data(), NSNumber(value: 1 as Int8)] {
                    #expect(exists(passwords([key: value])) == errSecParam, "\(key) \(value)")
                }
                #expect(exists(passwords([key: NSNumber(value: true)])) == errSecSuccess)
                #expect(exists(passwords([key: kCFBooleanFalse as Any])) == errSecSuccess)
            }
        }
    }

    @Test func `Keys that begin with f are ignored`() {
        withKeychain { _ in
            add(password())
            #expect(exists(passwords(["f_Callback" as CFString: 1])) == errSecSuccess)
        }
    }

    @Test func `The key of the data-protection keychain is ignored`() {
        withKeychain { _ in
            #expect(add(password("bob", [kSecUseDataProtectionKeychain: true])) == errSecSuccess)
            #expect(exists(passwords([kSecUseDataProtectionKeychain: false])) == errSecSuccess)
            #expect(exists(passwords([kSecUseDataProtectionKeychain: "whatever"])) == errSecSuccess)
        }
    }

    @Test func `Use keys of Apple's are accepted and without effect`() {
        withKeychain { _ in
            add(password())
            for key in [kSecUseOperationPrompt, kSecUseCallerName, kSecUseUserIndependentKeychain] {
                #expect(exists(passwords([key: "v"])) == errSecSuccess, "\(key)")
            }
        }
    }

    @Test func `Asking for a store of the system is refused, not asking is not`() {
        withKeychain { _ in
            add(password())
            for key in [kSecUseSystemKeychain, kSecUseSystemKeychainAlways, kSecUseTombstones] {
                #expect(exists(passwords([key: true])) == errSecMissingEntitlement, "\(key)")
                #expect(exists(passwords([key: false])) == errSecSuccess, "\(key)")
            }
        }
    }

    @Test func `A number as a key is no such attribute`() {
        let query: [AnyHashable: Any] = [kSecClass: kSecClassGenericPassword, 5: "v"]
        withKeychain { _ in #expect(exists(query as CFDictionary) == errSecNoSuchAttr) }
    }

    @Test func `Another object as a key is a bad parameter`() {
        let query: [AnyHashable: Any] = [kSecClass: kSecClassGenericPassword, Data([1]): "v"]
        withKeychain { _ in #expect(exists(query as CFDictionary) == errSecParam) }
    }

    @Test(arguments: ["acct", "v_Data", "class", "r_Data", "m_Limit", "m_Unknown", "u_OpPrompt", "nleg", "f_x"])
    func `Null is a bad parameter for every key`(_ key: String) {
        let query: [String: Any?] = ["svce": "shop", key: nil, key == "class" ? "labl" : "class": "genp"]
        withKeychain { _ in #expect(exists(query as CFDictionary) == errSecParam) }
    }

    @Test func `Null as a validity date is now, and no filter on passwords`() {
        withKeychain { _ in
            add(password())
            #expect(exists(passwords([kSecMatchValidOnDate: NSNull()])) == errSecSuccess)
        }
    }

    @Test func `A nil of an optional dictionary is a bad parameter`() {
        let account: String? = nil
        let query: [String: Any?] = ["class": "genp", "acct": account]
        withKeychain { _ in #expect(add(query as CFDictionary) == errSecParam) }
    }

    @Test func `An empty dictionary is a bad parameter`() {
        withKeychain { _ in
            #expect(add([:]) == errSecParam)
            #expect(exists([:]) == errSecParam)
            #expect(update([:], [:]) == errSecParam)
            #expect(delete([:]) == errSecParam)
        }
    }
}
