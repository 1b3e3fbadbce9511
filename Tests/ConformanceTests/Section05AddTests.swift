// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct AddTests {
    @Test(arguments: Mode.allCases, storeRows + refusalRows + useRows + synchronizableRows + resultRows)
    func `Every row of section 5 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static let storeRows: [Row] = [
        Row("5 valid attributes and no return key") {
            let answer = adding(password())
            #expect(answer.status == errSecSuccess && answer.object == nil)
        },
        Row("5 the key of an existing item changes nothing") {
            add(password("bob", [kSecAttrLabel: "old"]))
            let before = copying(genp([kSecReturnAttributes: true, kSecReturnData: true])).object
            #expect(add(password("bob", [kSecAttrLabel: "new", kSecValueData: bytes("new")])) == errSecDuplicateItem)
            let after = copying(genp([kSecReturnAttributes: true, kSecReturnData: true])).object
            #expect(before != nil && CFEqual(before, after))
            #expect(accounts(genp()).count == 1)
        },
        Row("5 the same key in another group is a distinct item") {
            try asProgram(groups: [ownGroup, otherGroup()]) {
                add(password())
                #expect(add(password("bob", [kSecAttrAccessGroup: otherGroup()])) == errSecSuccess)
                #expect(accounts(genp()).count == 2)
            }
        },
        Row("5 the same key with another sync value is a distinct item") {
            add(password())
            #expect(add(password("bob", [kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(accounts(genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny])).count == 2)
        },
        Row("5 the same key with sync 0 given is a duplicate", gives: errSecDuplicateItem) {
            add(password())
            return add(password("bob", [kSecAttrSynchronizable: false]))
        },
        Row("5 no value", gives: errSecSuccess) { add(genp([kSecAttrAccount: "bob"])) },
        Row("5 an empty value", gives: errSecSuccess) { add(genp([kSecValueData: Data()])) },
        Row("5 a value of more than 32 KiB", gives: errSecSuccess) {
            add(genp([kSecValueData: Data(repeating: 7, count: 100_000)]))
        },
        Row("5 attributes of more than 2 KiB", gives: errSecSuccess) {
            add(genp([kSecAttrComment: String(repeating: "x", count: 10_000)]))
        },
        Row("5 after a delete the same key can be added again", gives: errSecSuccess) {
            add(password())
            delete(genp())
            return add(password())
        },
    ]

    private static let refusalRows: [Row] = [
        Row("5 an attribute of another class", gives: errSecNoSuchAttr) { add(password("a", [kSecAttrServer: "s"])) },
        Row("5 an unknown key of four characters", gives: errSecNoSuchAttr) { add(password("a", ["abcd": "s"])) },
        Row("5 an unknown longer key", gives: errSecParam) { add(password("a", ["abcde": "s"])) },
        Row("5 kSecMatchLimit One", gives: errSecParam) { add(password("a", [kSecMatchLimit: kSecMatchLimitOne])) },
        Row("5 kSecMatchLimit All", gives: errSecParam) { add(password("a", [kSecMatchLimit: kSecMatchLimitAll])) },
        Row("5 kSecMatchLimit 1", gives: errSecParam) { add(password("a", [kSecMatchLimit: 1])) },
        Row("5 kSecMatchCaseInsensitive", gives: errSecParam) {
            add(password("a", [kSecMatchCaseInsensitive: true]))
        },
        Row("5 kSecMatchItemList", gives: errSecParam) { add(password("a", [kSecMatchItemList: [String]()])) },
        Row("5 an unknown match key", gives: errSecParam) { add(password("a", ["m_Whatever": true])) },
        Row("5 kSecUseItemList", gives: errSecParam) { add(password("a", [kSecUseItemList: [String]()])) },
        Row("5 a refused match key stores nothing", gives: errSecItemNotFound) {
            add(password("a", [kSecMatchLimit: kSecMatchLimitOne]))
            return find(genp())
        },
        Row("5 a persistent reference", gives: errSecParam) {
            add(password("a"))
            return add(password("b", [kSecValuePersistentRef: reference(genp()) ?? Data()]))
        },
        Row("5 malformed data as persistent reference", gives: errSecParam) {
            add(password("b", [kSecValuePersistentRef: Data([1, 2, 3])]))
        },
        Row("5 a string as persistent reference", gives: errSecParam) {
            add(password("b", [kSecValuePersistentRef: "genp"]))
        },
        Row("5 a value reference that is none", gives: errSecParam) { add(password("a", [kSecValueRef: "item"])) },
        Row("5 an array of values", gives: errSecParam) { add(genp([kSecValueData: [bytes("a"), bytes("b")]])) },
        Row("5 an explicit group that is not the caller's", gives: errSecMissingEntitlement) {
            add(password("a", [kSecAttrAccessGroup: otherGroup()]))
        },
        Row("5 com.apple.token", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) {
                add(password("a", [kSecAttrAccessGroup: kSecAttrAccessGroupToken]))
            }
        },
        Row("5 pdmn and an unequal accc", gives: errSecParam) {
            add(password("a", [kSecAttrAccessible: "ak", kSecAttrAccessControl: rules() as Any]))
        },
        Row("5 an access control that asks for a person is not stored unprotected") {
            let guarded = rules(kSecAttrAccessibleWhenUnlocked, .userPresence) as Any
            #expect(add(password("a", [kSecAttrAccessControl: guarded])) == errSecUnimplemented)
            #expect(find(genp()) == errSecItemNotFound)
        },
    ]

    private static let useRows: [Row] = [
        Row("5 kSecUseAuthenticationUI Skip", gives: errSecParam) {
            add(password("a", [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]))
        },
        Row("5 kSecUseAuthenticationUI Allow", gives: errSecSuccess) {
            add(password("a", [kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow]))
        },
        Row("5 kSecUseAuthenticationUI Fail", gives: errSecSuccess) {
            add(password("a", [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]))
        },
        Row("5 kSecUseOperationPrompt", gives: errSecSuccess) {
            add(password("a", [kSecUseOperationPrompt: "please"]))
        },
        Row("5 kSecUseNoAuthenticationUI", gives: errSecSuccess) {
            add(password("a", [kSecUseNoAuthenticationUI: true]))
        },
        Row("5 kSecUseDataProtectionKeychain", gives: errSecSuccess) {
            add(password("a", [kSecUseDataProtectionKeychain: true]))
        },
        Row("5 an unknown use key", gives: errSecParam) { add(password("a", ["u_Whatever": true])) },
    ]

    private static func storedAs(_ given: Any) -> [NSNumber] {
        add(password("a", [kSecAttrSynchronizable: given]))
        let query = genp([
            kSecAttrSynchronizable: kSecAttrSynchronizableAny, kSecMatchLimit: kSecMatchLimitAll,
            kSecReturnAttributes: true,
        ])
        return (copying(query).dictionaries ?? []).compactMap { $0["sync"] as? NSNumber }
    }

    private static let synchronizableRows: [Row] =
        [
            Row("5 sync true is a synchronizable item") { #expect(storedAs(true) == [1]) },
            Row("5 sync 1 is a synchronizable item") { #expect(storedAs(1) == [1]) },
            Row("5 sync “1” is a synchronizable item") { #expect(storedAs("1") == [1]) },
            Row("5 sync false is a local item") { #expect(storedAs(false) == [0]) },
            Row("5 sync 0 is a local item") { #expect(storedAs(0) == [0]) },
            Row("5 sync “0” is a local item") { #expect(storedAs("0") == [0]) },
            Row("5 sync Any is stored as a local item") { #expect(storedAs(kSecAttrSynchronizableAny) == [0]) },
            Row("5 sync Any collides with a local item", gives: errSecDuplicateItem) {
                add(password())
                return add(password("bob", [kSecAttrSynchronizable: kSecAttrSynchronizableAny]))
            },
            Row("5 sync true with rules, even of flags 0", gives: errSecParam) {
                add(password("a", [kSecAttrSynchronizable: true, kSecAttrAccessControl: rules() as Any]))
            },
            Row("5 sync true with a bare accc that was read back", gives: errSecSuccess) {
                add(password("a"))
                let bare = attributes(genp())["accc"] as Any
                return add(password("b", [kSecAttrSynchronizable: true, kSecAttrAccessControl: bare]))
            },
            Row("5 sync false with rules", gives: errSecSuccess) {
                add(password("a", [kSecAttrSynchronizable: false, kSecAttrAccessControl: rules() as Any]))
            },
        ]
        + ["aku", "cku", "dku", "akpu"].map { code in
            Row("5 sync true with \(code)", gives: errSecParam) {
                add(password("a", [kSecAttrSynchronizable: true, kSecAttrAccessible: code]))
            }
        }
        + ["ak", "ck", "dk"].map { code in
            Row("5 sync true with \(code)", gives: errSecSuccess) {
                add(password("a", [kSecAttrSynchronizable: true, kSecAttrAccessible: code]))
            }
        }

    private static let resultRows: [Row] = [
        Row("5 D returns the value") { #expect(adding(password("a", [kSecReturnData: true])).data == bytes("a")) },
        Row("5 D of an item without a value returns nil") {
            let answer = adding(genp([kSecReturnData: true]))
            #expect(answer.status == errSecSuccess && answer.object == nil)
        },
        Row("5 A returns a dictionary with sha1 and defaults, without value and class") {
            let found = try #require(adding(password("a", [kSecReturnAttributes: true])).dictionary)
            #expect(found["acct"] as? String == "a" && found["svce"] as? String == "shop")
            #expect(found["agrp"] as? String == ownGroup && found["pdmn"] as? String == "ak")
            #expect(found["sync"] as? NSNumber == 0 && found["cdat"] is Date && found["mdat"] is Date)
            #expect((found["sha1"] as? Data)?.count == 20)
            #expect(found["v_Data"] == nil && found["class"] == nil && found["accc"] == nil)
        },
        Row("5 P returns the reference that a copy returns") {
            let added = adding(password("a", [kSecReturnPersistentRef: true])).data
            #expect(added != nil && reference(genp()) == added)
        },
        Row("5 R alone returns nil for passwords") {
            let answer = adding(password("a", [kSecReturnRef: true]))
            #expect(answer.status == errSecSuccess && answer.object == nil)
        },
        Row("5 D and A return a dictionary with the value") {
            let found = adding(password("a", [kSecReturnData: true, kSecReturnAttributes: true])).dictionary
            #expect(found?["v_Data"] as? Data == bytes("a") && found?["acct"] as? String == "a")
        },
        Row("5 D and P return a dictionary of both") {
            let found = adding(password("a", [kSecReturnData: true, kSecReturnPersistentRef: true])).dictionary
            #expect(found?["v_Data"] as? Data == bytes("a") && found?["v_PersistentRef"] is Data)
        },
        Row("5 R and A return a dictionary with the class") {
            let found = adding(password("a", [kSecReturnRef: true, kSecReturnAttributes: true])).dictionary
            #expect(found?["class"] as? String == "genp" && found?["acct"] as? String == "a")
        },
        Row("5 a return key that is false returns nil") {
            #expect(adding(password("a", [kSecReturnData: false])).object == nil)
        },
        Row("5 return keys without a result pointer", gives: errSecSuccess) {
            add(password("a", [kSecReturnData: true, kSecReturnAttributes: true]))
        },
        Row("5 the result is nil after a duplicate") {
            add(password())
            let answer = adding(password("bob", [kSecReturnData: true]))
            #expect(answer.status == errSecDuplicateItem && answer.object == nil)
        },
        Row("5 the result is nil after a malformed dictionary") {
            let answer = adding(["account": "x"])
            #expect(answer.status == errSecParam && answer.object == nil)
        },
        Row("5 the result is nil after a missing entitlement") {
            let answer = adding(password("a", [kSecAttrAccessGroup: otherGroup(), kSecReturnData: true]))
            #expect(answer.status == errSecMissingEntitlement && answer.object == nil)
        },
    ]
}
