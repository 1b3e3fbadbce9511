// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct UpdateTests {
    @Test(arguments: Mode.allCases, scopeRows + queryRows + changeRows + keyRows + protectionRows + bindingRows)
    func `Every row of section 7 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static var label: Query { [kSecAttrLabel: "l"] }

    private static func labels() -> [String] {
        let query = genp([
            kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
            kSecAttrSynchronizable: kSecAttrSynchronizableAny,
        ])
        return (copying(query).dictionaries ?? []).map { $0["labl"] as? String ?? "" }
    }

    private static let scopeRows: [Row] = [
        Row("7 every match is updated") {
            for name in ["a", "b", "c"] { add(password(name)) }
            #expect(update(genp(), label) == errSecSuccess)
            #expect(labels() == ["l", "l", "l"])
        },
        Row("7 what does not match stays") {
            for name in ["a", "b"] { add(password(name)) }
            #expect(update(genp([kSecAttrAccount: "b"]), label) == errSecSuccess)
            #expect(labels() == ["", "l"])
        },
        Row("7 without sync only local items") {
            add(password("a"))
            add(password("b", [kSecAttrSynchronizable: true]))
            #expect(update(genp(), label) == errSecSuccess)
            #expect(labels() == ["l", ""])
        },
        Row("7 sync Any updates both") {
            add(password("a"))
            add(password("b", [kSecAttrSynchronizable: true]))
            #expect(update(genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny]), label) == errSecSuccess)
            #expect(labels() == ["l", "l"])
        },
        Row("7 no match", gives: errSecItemNotFound) { update(genp(), label) },
        Row("7 items of others do not match", gives: errSecItemNotFound) {
            add(password())
            return try asProgram(groups: [otherGroup()]) { update(genp(), label) }
        },
        Row("7 three hundred matches are updated at once") {
            for number in 0..<300 { add(genp([kSecAttrAccount: "\(number)"])) }
            #expect(update(genp(), label) == errSecSuccess)
            #expect(accounts(genp(label)).count == 300)
        },
    ]

    /// The status of an update of one item by a query with `more`.
    private static func updating(by more: Query) -> OSStatus {
        add(password())
        return update(genp(more), label)
    }

    private static let queryRows: [Row] = [
        Row("7 query: kSecMatchLimit One", gives: errSecParam) { updating(by: [kSecMatchLimit: kSecMatchLimitOne]) },
        Row("7 query: kSecMatchLimit All", gives: errSecParam) { updating(by: [kSecMatchLimit: kSecMatchLimitAll]) },
        Row("7 query: kSecMatchLimit of a wrong kind", gives: errSecParam) { updating(by: [kSecMatchLimit: true]) },
        Row("7 query: kSecMatchCaseInsensitive", gives: errSecParam) {
            updating(by: [kSecMatchCaseInsensitive: false])
        },
        Row("7 query: an unknown match key", gives: errSecParam) { updating(by: ["m_Whatever": true]) },
        Row("7 query: kSecReturnData true", gives: errSecParam) { updating(by: [kSecReturnData: true]) },
        Row("7 query: kSecReturnAttributes true", gives: errSecParam) { updating(by: [kSecReturnAttributes: true]) },
        Row("7 query: kSecReturnRef true", gives: errSecParam) { updating(by: [kSecReturnRef: true]) },
        Row("7 query: kSecReturnPersistentRef true", gives: errSecParam) {
            updating(by: [kSecReturnPersistentRef: true])
        },
        Row("7 query: return keys that are false", gives: errSecSuccess) {
            updating(by: [kSecReturnData: false, kSecReturnAttributes: false])
        },
        Row("7 query: kSecUseItemList", gives: errSecParam) { updating(by: [kSecUseItemList: [String]()]) },
        Row("7 query: UISkip", gives: errSecParam) {
            updating(by: [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
        },
        Row("7 query: the value is no filter", gives: errSecSuccess) {
            updating(by: [kSecValueData: bytes("something else")])
        },
        Row("7 query: labl is a filter", gives: errSecItemNotFound) { updating(by: [kSecAttrLabel: "other"]) },
        Row("7 query: an unknown attribute", gives: errSecNoSuchAttr) { updating(by: ["abcd": "x"]) },
        Row("7 query: an attribute of another class", gives: errSecNoSuchAttr) { updating(by: [kSecAttrServer: "x"]) },
        Row("7 query: a persistent reference, without class", gives: errSecSuccess) {
            add(password())
            return update(referred(reference(genp())), label)
        },
        Row("7 query: a persistent reference, with class", gives: errSecSuccess) {
            add(password())
            return update(referred(reference(genp()), [kSecClass: kSecClassGenericPassword]), label)
        },
        Row("7 query: a value reference that is none", gives: errSecParam) { updating(by: [kSecValueRef: "x"]) },
        Row("7 query: without class", gives: errSecParam) { update([kSecAttrAccount: "bob"], label) },
    ]

    /// The status of an update of one item with those changes.
    private static func changing(_ changes: Query) -> OSStatus {
        add(password())
        return update(genp(), changes)
    }

    private static let changeRows: [Row] = [
        Row("7 changes: attributes are set, others stay") {
            add(password("a", [kSecAttrComment: "c"]))
            update(genp(), [kSecAttrLabel: "l", kSecAttrType: 7])
            let found = attributes(genp())
            #expect(found["labl"] as? String == "l" && found["type"] as? NSNumber == 7)
            #expect(found["icmt"] as? String == "c" && found["acct"] as? String == "a")
            #expect(value(genp()) == "a")
        },
        Row("7 changes: the value is replaced") {
            #expect(changing([kSecValueData: bytes("new")]) == errSecSuccess)
            #expect(value(genp()) == "new")
        },
        Row("7 changes: an empty value is allowed") {
            #expect(changing([kSecValueData: Data()]) == errSecSuccess)
            #expect(copying(genp([kSecReturnData: true])).data == Data())
        },
        Row("7 changes: an item without value gets one") {
            add(genp())
            #expect(update(genp(), [kSecValueData: bytes("v")]) == errSecSuccess)
            #expect(value(genp()) == "v")
        },
        Row("7 changes: an item without value stays so") {
            add(genp())
            update(genp(), label)
            #expect(copying(genp([kSecReturnData: true])).object == nil)
        },
        Row("7 changes: empty, only mdat moves") {
            add(password("a", label))
            var before = attributes(genp())
            #expect(update(genp(), [:]) == errSecSuccess)
            var after = attributes(genp())
            let moved = try #require(after.removeValue(forKey: "mdat") as? Date)
            let old = try #require(before.removeValue(forKey: "mdat") as? Date)
            #expect(moved > old)
            #expect(CFEqual(before as NSDictionary, after as NSDictionary))
        },
        Row("7 changes: empty, no match", gives: errSecItemNotFound) { update(genp(), [:]) },
        Row("7 changes: kSecClass", gives: errSecNoSuchAttr) { changing([kSecClass: kSecClassGenericPassword]) },
        Row("7 changes: kSecReturnData", gives: errSecNoSuchAttr) { changing([kSecReturnData: true]) },
        Row("7 changes: kSecReturnAttributes false", gives: errSecNoSuchAttr) {
            changing([kSecReturnAttributes: false])
        },
        Row("7 changes: kSecMatchLimit", gives: errSecNoSuchAttr) { changing([kSecMatchLimit: kSecMatchLimitOne]) },
        Row("7 changes: kSecUseAuthenticationUI", gives: errSecNoSuchAttr) {
            changing([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
        },
        Row("7 changes: kSecUseOperationPrompt", gives: errSecNoSuchAttr) { changing([kSecUseOperationPrompt: "x"]) },
        Row("7 changes: kSecValueRef", gives: errSecNoSuchAttr) { changing([kSecValueRef: "x"]) },
        Row("7 changes: kSecValuePersistentRef", gives: errSecNoSuchAttr) {
            changing([kSecValuePersistentRef: Data()])
        },
        Row("7 changes: an unknown key of four characters", gives: errSecNoSuchAttr) { changing(["abcd": "x"]) },
        Row("7 changes: an unknown longer key", gives: errSecNoSuchAttr) { changing(["account": "x"]) },
        Row("7 changes: an empty key", gives: errSecNoSuchAttr) { changing(["": "x"]) },
        Row("7 changes: an unknown match key", gives: errSecNoSuchAttr) { changing(["m_Whatever": "x"]) },
        Row("7 changes: an attribute of another class", gives: errSecNoSuchAttr) { changing([kSecAttrServer: "x"]) },
        Row("7 changes: nleg is ignored", gives: errSecSuccess) { changing([kSecUseDataProtectionKeychain: true]) },
        Row("7 changes: musr is ignored", gives: errSecSuccess) { changing([kSecAttrMultiUser: Data([1])]) },
        Row("7 changes: mdat is ignored", gives: errSecSuccess) {
            changing([kSecAttrModificationDate: Date.distantPast])
        },
        Row("7 changes: a key that is no string", gives: errSecParam) {
            add(password())
            return SecItemUpdate(genp() as CFDictionary, NSDictionary(dictionary: [5: "x"] as [AnyHashable: Any]))
        },
        Row("7 changes: a null value", gives: errSecParam) { changing([kSecAttrLabel: NSNull()]) },
        Row("7 changes: a wrong type for a blob", gives: errSecParam) { changing([kSecAttrLabel: true]) },
        Row("7 changes: a wrong type for a number", gives: errSecParam) { changing([kSecAttrType: Data([1])]) },
        Row("7 changes: a wrong type for a date", gives: errSecParam) { changing([kSecAttrCreationDate: "now"]) },
        Row("7 changes: the value as string", gives: errSecParam) { changing([kSecValueData: "x"]) },
        Row("7 changes: the value as number", gives: errSecParam) { changing([kSecValueData: 5]) },
        Row("7 changes: the value as null", gives: errSecParam) { changing([kSecValueData: NSNull()]) },
        Row("7 changes: a malformed one changes nothing") {
            add(password("a", [kSecAttrLabel: "old"]))
            #expect(update(genp(), [kSecAttrLabel: "new", kSecAttrType: Data()]) == errSecParam)
            #expect(labels() == ["old"])
        },
        Row("7 changes: setting the present value moves mdat") {
            add(password("a", label))
            let before = seconds("mdat", genp())
            #expect(update(genp(), label) == errSecSuccess)
            #expect(seconds("mdat", genp()) > before)
        },
        Row("7 query and changes both the attributes that were read back") {
            add(password("a", [kSecAttrLabel: "l", kSecAttrGeneric: bytes("g")]))
            let read = attributes(genp())
            var query = read
            query["class"] = "genp"
            #expect(SecItemUpdate(query as CFDictionary, read as CFDictionary) == errSecSuccess)
            #expect(value(genp([kSecAttrLabel: "l"])) == "a")
        },
        Row("7 the attributes of one item as changes of another, but for the key") {
            add(password("a", [kSecAttrLabel: "l", kSecAttrIsInvisible: true]))
            add(password("b"))
            var read = attributes(genp([kSecAttrAccount: "a"]))
            read["acct"] = "c"
            #expect(SecItemUpdate(genp([kSecAttrAccount: "b"]) as CFDictionary, read as CFDictionary) == errSecSuccess)
            let found = attributes(genp([kSecAttrAccount: "c"]))
            #expect(found["labl"] as? String == "l" && found["invi"] as? NSNumber == 1)
        },
    ]

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
            #expect(labels() == ["", "", ""])
            #expect(value(genp([kSecAttrAccount: "b"])) == "b")
        },
        Row("7 key: all or nothing, when the last of many collides") {
            for name in ["a", "b"] { add(genp([kSecAttrAccount: name, kSecAttrService: "1"])) }
            add(genp([kSecAttrAccount: "b", kSecAttrService: "2"]))
            let result = update(genp([kSecAttrService: "1"]), [kSecAttrService: "2", kSecAttrLabel: "l"])
            #expect(result == errSecDuplicateItem)
            #expect(accounts(genp([kSecAttrService: "1"])) == ["a", "b"])
            #expect(labels() == ["", "", ""])
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
            updating(by: [kSecAttrAccessGroup: otherGroup()])
        },
        Row("7 query: com.apple.token", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) {
                update(genp([kSecAttrAccessGroup: kSecAttrAccessGroupToken]), label)
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

    private static let protectionRows: [Row] = ["ck", "dk", "aku", "cku", "dku", "akpu"].map { code in
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
