// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct UpdateKeyTests {
    @Test(arguments: Mode.allCases, keyRows + protectionRows + bindingRows)
    func `Every row of section 7 about primary key and protection holds`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

    /// The status of an update of one item with those changes.
    private static func changing(_ changes: Query) -> OSStatus {
        add(password())
        return update(genp(), changes)
    }

    private static let keyRows: [Row] = [
        Row("7 key: a new account moves the item and keeps its value") {
            #expect(changing([kSecAttrAccount: "eve"]) == errSecSuccess)
            #expect(find(genp([kSecAttrAccount: "bob"])) == errSecItemNotFound)
            #expect(value(genp([kSecAttrAccount: "eve", kSecAttrService: "shop"])) == "bob")
        },
        Row("7 key: the old key is free afterwards", gives: errSecSuccess) {
            _ = changing([kSecAttrAccount: "eve"])
            return add(password())
        },
        Row("7 key: that of another item") {
            add(password("a"))
            add(password("b"))
            #expect(update(genp([kSecAttrAccount: "a"]), [kSecAttrAccount: "b"]) == errSecDuplicateItem)
            #expect(accounts(genp()) == ["a", "b"])
            #expect(value(genp([kSecAttrAccount: "a"])) == "a")
        },
        Row("7 key: several matches that would end with one key change nothing") {
            for name in ["a", "b", "c"] { add(password(name)) }
            let changes: Query = [kSecAttrAccount: "x", kSecAttrLabel: "l", kSecValueData: bytes("x")]
            #expect(update(genp(), changes) == errSecDuplicateItem)
            #expect(accounts(genp()) == ["a", "b", "c"])
            #expect(find(genp([kSecAttrLabel: "l"])) == errSecItemNotFound)
            #expect(value(genp([kSecAttrAccount: "b"])) == "b")
        },
        Row("7 key: all or nothing, when the last of many collides") {
            for name in ["a", "b"] { add(genp([kSecAttrAccount: name, kSecAttrService: "1"])) }
            add(genp([kSecAttrAccount: "b", kSecAttrService: "2"]))
            let result = update(genp([kSecAttrService: "1"]), [kSecAttrService: "2", kSecAttrLabel: "l"])
            #expect(result == errSecDuplicateItem)
            #expect(accounts(genp([kSecAttrService: "1"])) == ["a", "b"])
            #expect(find(genp([kSecAttrLabel: "l"])) == errSecItemNotFound)
        },
        Row("7 key: sync true") {
            #expect(changing([kSecAttrSynchronizable: true]) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
            #expect(value(genp([kSecAttrSynchronizable: true])) == "bob")
        },
        Row("7 key: sync true and back") {
            _ = changing([kSecAttrSynchronizable: true])
            #expect(update(genp([kSecAttrSynchronizable: true]), [kSecAttrSynchronizable: false]) == errSecSuccess)
            #expect(value(genp()) == "bob")
        },
        Row("7 key: sync true collides", gives: errSecDuplicateItem) {
            add(password("bob", [kSecAttrSynchronizable: true]))
            return changing([kSecAttrSynchronizable: true])
        },
        Row("7 key: sync Any changes nothing") {
            add(password("a", [kSecAttrSynchronizable: true]))
            let changes: Query = [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
            #expect(update(genp([kSecAttrSynchronizable: true]), changes) == errSecSuccess)
            #expect(accounts(genp([kSecAttrSynchronizable: true])) == ["a"])
        },
        Row("7 key: a group of the caller") {
            try asProgram(groups: [ownGroup, otherGroup()]) {
                #expect(changing([kSecAttrAccessGroup: otherGroup()]) == errSecSuccess)
                #expect(find(genp([kSecAttrAccessGroup: ownGroup])) == errSecItemNotFound)
                #expect(value(genp([kSecAttrAccessGroup: otherGroup()])) == "bob")
            }
        },
        Row("7 key: a group in which the key is taken", gives: errSecDuplicateItem) {
            try asProgram(groups: [ownGroup, otherGroup()]) {
                add(password("bob", [kSecAttrAccessGroup: otherGroup()]))
                add(password())
                return update(genp([kSecAttrAccessGroup: ownGroup]), [kSecAttrAccessGroup: otherGroup()])
            }
        },
        Row("7 key: a group that is not the caller's") {
            #expect(changing([kSecAttrAccessGroup: otherGroup()]) == errSecMissingEntitlement)
            #expect(attributes(genp())["agrp"] as? String == ownGroup)
        },
        Row("7 key: com.apple.token", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) {
                changing([kSecAttrAccessGroup: kSecAttrAccessGroupToken])
            }
        },
        Row("7 query: a group that is not the caller's", gives: errSecMissingEntitlement) {
            add(password())
            return update(genp([kSecAttrAccessGroup: otherGroup()]), [kSecAttrLabel: "l"])
        },
        Row("7 query: com.apple.token", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) {
                update(genp([kSecAttrAccessGroup: kSecAttrAccessGroupToken]), [kSecAttrLabel: "l"])
            }
        },
        Row("7 the persistent reference survives a new key, group, sync and class") {
            try asProgram(groups: [ownGroup, otherGroup()]) {
                add(password())
                let before = reference(genp())
                let changes: [Query] = [
                    [kSecAttrAccount: "eve", kSecAttrService: "bank"], [kSecAttrAccessGroup: otherGroup()],
                    [kSecAttrSynchronizable: true], [kSecAttrAccessible: "dk"], [kSecValueData: bytes("new")],
                ]
                for change in changes {
                    #expect(update(referred(before), change) == errSecSuccess)
                    #expect(find(referred(before)) == errSecSuccess)
                }
                #expect(reference(genp([kSecAttrSynchronizable: true])) == before)
                #expect(value(referred(before)) == "new")
            }
        },
    ]

    private static let protectionRows: [Row] =
        ["ck", "dk", "aku", "cku", "dku", "akpu"].map { code in
            Row("7 pdmn \(code) re-protects and keeps the value") {
                #expect(changing([kSecAttrAccessible: code]) == errSecSuccess)
                #expect(attributes(genp())["pdmn"] as? String == code)
                #expect(value(genp([kSecAttrAccessible: code])) == "bob")
                #expect(find(genp([kSecAttrAccessible: "ak"])) == errSecItemNotFound)
            }
        } + [
            Row("7 pdmn drops an access control") {
                add(password("a", [kSecAttrAccessControl: rules() as Any]))
                #expect(attributes(genp())["accc"] as? SecAccessControl == rules())
                #expect(update(genp(), [kSecAttrAccessible: "ak"]) == errSecSuccess)
                #expect(attributes(genp())["accc"] as? SecAccessControl != rules())
            },
            Row("7 a bad pdmn", gives: errSecParam) { changing([kSecAttrAccessible: "whatever"]) },
            Row("7 accc re-protects and sets pdmn") {
                #expect(changing([kSecAttrAccessControl: rules(kSecAttrAccessibleAlways) as Any]) == errSecSuccess)
                #expect(attributes(genp())["pdmn"] as? String == "dk")
                #expect(attributes(genp())["accc"] as? SecAccessControl == rules(kSecAttrAccessibleAlways))
                #expect(value(genp()) == "bob")
            },
            Row("7 accc replaces another accc") {
                add(password("a", [kSecAttrAccessControl: rules() as Any]))
                update(genp(), [kSecAttrAccessControl: rules(kSecAttrAccessibleAfterFirstUnlock) as Any])
                #expect(attributes(genp())["accc"] as? SecAccessControl == rules(kSecAttrAccessibleAfterFirstUnlock))
            },
            Row("7 accc stays when something else changes") {
                add(password("a", [kSecAttrAccessControl: rules() as Any]))
                update(genp(), [kSecAttrLabel: "l", kSecValueData: bytes("new")])
                #expect(attributes(genp())["accc"] as? SecAccessControl == rules())
                #expect(value(genp()) == "new")
            },
            Row("7 accc with an unequal pdmn", gives: errSecParam) {
                changing([kSecAttrAccessible: "ak", kSecAttrAccessControl: rules() as Any])
            },
            Row("7 accc with sync true", gives: errSecParam) {
                changing([kSecAttrSynchronizable: true, kSecAttrAccessControl: rules() as Any])
            },
            Row("7 accc that asks for a person protects nothing yet and is refused") {
                let guarded = rules(kSecAttrAccessibleWhenUnlocked, .userPresence) as Any
                #expect(changing([kSecAttrAccessControl: guarded]) == errSecUnimplemented)
                #expect(attributes(genp())["accc"] as? SecAccessControl != guarded as? SecAccessControl)
            },
        ]

    private static let bindingRows: [Row] = [
        Row("7 sync true of an item bound to this device") {
            add(password("a", [kSecAttrAccessible: "aku"]))
            #expect(update(genp(), [kSecAttrSynchronizable: true]) == errSecParam)
            #expect(attributes(genp())["sync"] as? NSNumber == 0)
        },
        Row("7 this device only of a synchronizable item") {
            add(password("a", [kSecAttrSynchronizable: true]))
            #expect(update(genp([kSecAttrSynchronizable: true]), [kSecAttrAccessible: "aku"]) == errSecParam)
            #expect(attributes(genp([kSecAttrSynchronizable: true]))["pdmn"] as? String == "ak")
        },
        Row("7 rules of a synchronizable item", gives: errSecParam) {
            add(password("a", [kSecAttrSynchronizable: true]))
            return update(genp([kSecAttrSynchronizable: true]), [kSecAttrAccessControl: rules() as Any])
        },
        Row("7 sync true of an item with rules", gives: errSecParam) {
            add(password("a", [kSecAttrAccessControl: rules() as Any]))
            return update(genp(), [kSecAttrSynchronizable: true])
        },
        Row("7 sync true and another class of an item bound to this device", gives: errSecSuccess) {
            add(password("a", [kSecAttrAccessible: "aku"]))
            return update(genp(), [kSecAttrSynchronizable: true, kSecAttrAccessible: "ak"])
        },
    ]
}
