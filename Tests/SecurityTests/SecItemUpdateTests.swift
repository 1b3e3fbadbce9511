// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct SecItemUpdateTests {
    // MARK: - The query

    @Test func `Every match is updated`() {
        withKeychain { keychain in
            for account in ["a", "b"] { add(password(account)) }
            #expect(update(passwords(), [kSecAttrLabel: "x"]) == errSecSuccess)
            #expect(keychain.items.allSatisfy { $0.attributes[.label] == .text("x") })
        }
    }

    @Test func `No match is not found, and synchronizable items are not looked at`() {
        withKeychain { _ in
            #expect(update(passwords(), [:]) == errSecItemNotFound)
            add(password("a", [kSecAttrSynchronizable: true]))
            #expect(update(passwords(), [:]) == errSecItemNotFound)
            #expect(update(passwords([kSecAttrSynchronizable: "syna"]), [:]) == errSecSuccess)
        }
    }

    @Test func `A match key in the query is a bad parameter`() {
        withKeychain { _ in
            add(password())
            for key in [kSecMatchLimit, kSecMatchCaseInsensitive, "m_Whatever"] {
                #expect(update(passwords([key: kSecMatchLimitOne]), [:]) == errSecParam, "\(key)")
            }
        }
    }

    @Test func `A true return key in the query is a bad parameter, a false one is not`() {
        withKeychain { _ in
            add(password())
            for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
                #expect(update(passwords([key: true]), [:]) == errSecParam)
                #expect(update(passwords([key: false]), [:]) == errSecSuccess)
            }
        }
    }

    @Test func `A value in the query is no filter`() {
        withKeychain { _ in
            add(password())
            #expect(update(passwords([kSecValueData: "whatever"]), [kSecAttrLabel: "x"]) == errSecSuccess)
        }
    }

    @Test func `A group that is not the caller's is worse than a malformed query`() {
        withKeychain { keychain in
            let query = passwords([kSecAttrAccessGroup: "theirs", kSecMatchLimit: 1])
            #expect(update(query, [:]) == errSecMissingEntitlement)
            #expect(update(passwords([kSecAttrAccessGroup: "theirs"]), ["xxxx": 1]) == errSecMissingEntitlement)
            #expect(keychain.entitlementQuestions == 2)
        }
    }

    @Test func `The group is asked about only if the query is malformed`() {
        withKeychain { keychain in
            add(password())
            #expect(update(passwords([kSecAttrAccessGroup: "test.default"]), [:]) == errSecSuccess)
            #expect(update(passwords([kSecAttrAccessGroup: "theirs"]), [:]) == errSecMissingEntitlement)
            #expect(keychain.entitlementQuestions == 0)
        }
    }

    @Test func `A malformed query in a group of the caller is a bad parameter`() {
        withKeychain { _ in
            #expect(update(passwords([kSecAttrAccessGroup: "test.shared", kSecMatchLimit: 1]), [:]) == errSecParam)
        }
    }

    @Test func `The token's group cannot be updated`() {
        withKeychain(ModelService(groups: ["mine", "com.apple.token"])) { _ in
            let query = passwords([kSecAttrAccessGroup: kSecAttrAccessGroupToken])
            #expect(update(query, [:]) == errSecMissingEntitlement)
            #expect(update(passwords(), [kSecAttrAccessGroup: kSecAttrAccessGroupToken]) == errSecMissingEntitlement)
        }
    }

    // MARK: - The changes

    @Test func `A new value replaces the old, an empty one too`() {
        withKeychain { _ in
            add(password())
            #expect(update(passwords(), [kSecValueData: Data("new".utf8)]) == errSecSuccess)
            #expect(value(passwords()) == "new")
            #expect(update(passwords(), [kSecValueData: Data()]) == errSecSuccess)
            #expect(value(passwords()) == "")
        }
    }

    @Test func `A new value is data only`() {
        withKeychain { _ in
            add(password())
            for value: Any in ["text", 1, NSNull()] {
                #expect(update(passwords(), [kSecValueData: value]) == errSecParam, "\(value)")
            }
        }
    }

    @Test(
        arguments: [
            "class", "r_Data", "r_Attributes", "m_Limit", "u_AuthUI", "u_OpPrompt", "v_Ref", "v_PersistentRef", "f_x",
            "svc", "servers", "", "x", "srvr", "UUID",
        ])
    func `A key that is no attribute of the class is no such attribute`(_ key: String) {
        withKeychain { _ in
            add(password())
            #expect(update(passwords(), [key as CFString: "genp"]) == errSecNoSuchAttr)
        }
    }

    @Test func `A key that is no string is a bad parameter`() {
        withKeychain { _ in
            add(password())
            #expect(SecItemUpdate(passwords() as CFDictionary, [5: "x"] as NSDictionary) == errSecParam)
        }
    }

    @Test func `An attribute cannot be removed`() {
        withKeychain { _ in
            add(password("a", [kSecAttrLabel: "x"]))
            #expect(update(passwords(), [kSecAttrLabel: NSNull()]) == errSecParam)
            #expect(update(passwords(), [kSecAttrLabel: ""]) == errSecSuccess)
            #expect(attributes(passwords())["labl"] as? String == "")
        }
    }

    @Test func `A value of the wrong type is a bad parameter`() {
        withKeychain { _ in
            add(password())
            for (key, value) in [(kSecAttrLabel, true), (kSecAttrCreator, Data()), (kSecAttrCreationDate, "now")]
                as [(CFString, Any)]
            {
                #expect(update(passwords(), [key: value]) == errSecParam, "\(key)")
            }
        }
    }

    @Test func `No changes move the modification date alone`() {
        withKeychain { keychain in
            keychain.now = 1000
            add(password())
            keychain.now = 2000
            #expect(update(passwords(), [:]) == errSecSuccess)
            let found = attributes(passwords())
            #expect(found["mdat"] as? Date == Date(timeIntervalSinceReferenceDate: 2000))
            #expect(found["cdat"] as? Date == Date(timeIntervalSinceReferenceDate: 1000))
        }
    }

    @Test func `A creation date is set, a modification date is not`() {
        withKeychain { keychain in
            add(password())
            let past = Date(timeIntervalSinceReferenceDate: 5)
            #expect(update(passwords(), [kSecAttrCreationDate: past, kSecAttrModificationDate: past]) == errSecSuccess)
            let found = attributes(passwords())
            #expect(found["cdat"] as? Date == past && found["mdat"] as? Date != past)
        }
    }

    @Test func `Keys without effect are accepted`() {
        withKeychain { _ in
            add(password())
            let changes: Query = [
                kSecUseDataProtectionKeychain: true, kSecAttrMultiUser: "anything", kSecAttrTombstone: 0,
            ]
            #expect(update(passwords(), changes) == errSecSuccess)
        }
    }

    @Test func `An item moves to another group of the caller only`() {
        withKeychain { _ in
            add(password())
            #expect(update(passwords(), [kSecAttrAccessGroup: "theirs"]) == errSecMissingEntitlement)
            #expect(update(passwords(), [kSecAttrAccessGroup: "test.shared"]) == errSecSuccess)
            #expect(attributes(passwords())["agrp"] as? String == "test.shared")
        }
    }

    @Test func `A new accessibility drops the access control`() throws {
        let object = try #require(rules(kSecAttrAccessibleAlways))
        withKeychain { _ in
            add(password("a", [kSecAttrAccessControl: object]))
            #expect(update(passwords(), [kSecAttrAccessible: "ck"]) == errSecSuccess)
            let found = attributes(passwords())
            #expect(found["pdmn"] as? String == "ck")
            #expect(found["accc"] as? SecAccessControl != object)
        }
    }

    @Test func `A new access control gives the accessibility`() throws {
        let object = try #require(rules(kSecAttrAccessibleAlways))
        withKeychain { _ in
            add(password())
            #expect(update(passwords(), [kSecAttrAccessControl: object]) == errSecSuccess)
            let found = attributes(passwords())
            #expect(found["pdmn"] as? String == "dk" && found["accc"] as? SecAccessControl == object)
        }
    }

    @Test func `Rules and synchronizable together are a bad parameter`() throws {
        let object = try #require(rules(kSecAttrAccessibleAlways))
        withKeychain { _ in
            add(password())
            let changes: Query = [kSecAttrAccessControl: object, kSecAttrSynchronizable: true]
            #expect(update(passwords(), changes) == errSecParam)
        }
    }

    @Test func `An item becomes synchronizable, and any changes nothing`() {
        withKeychain { keychain in
            add(password())
            #expect(update(passwords(), [kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == errSecSuccess)
            #expect(keychain.items.map(\.isSynchronizable) == [false])
            #expect(update(passwords(), [kSecAttrSynchronizable: true]) == errSecSuccess)
            #expect(keychain.items.map(\.isSynchronizable) == [true])
        }
    }

    @Test func `A primary key that another item has is a duplicate, and no item is changed`() {
        withKeychain { _ in
            for account in ["a", "b"] { add(password(account)) }
            #expect(update(password("a", value: nil), [kSecAttrAccount: "b"]) == errSecDuplicateItem)
            #expect(update(passwords(), [kSecAttrAccount: "c", kSecAttrLabel: "x"]) == errSecDuplicateItem)
            #expect(exists(password("a", value: nil)) == errSecSuccess)
            #expect(exists(passwords([kSecAttrLabel: "x"])) == errSecItemNotFound)
        }
    }

    @Test func `Setting the present value succeeds and moves the modification date`() {
        withKeychain { keychain in
            add(password())
            let before = attributes(passwords())["mdat"] as? Date
            keychain.now -= 100
            #expect(update(passwords(), [kSecAttrAccount: "bob"]) == errSecSuccess)
            let after = attributes(passwords())["mdat"] as? Date
            #expect(after.map { $0 > before ?? .distantFuture } == true)
        }
    }
}
