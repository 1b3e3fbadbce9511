// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct UpdateTests {
    @Test(arguments: Mode.allCases, scopeRows + queryRows + changeRows)
    func `Every row of section 7 about scope, query and changes holds`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

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
}
