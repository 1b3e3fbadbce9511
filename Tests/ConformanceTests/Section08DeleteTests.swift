// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct DeleteTests {
    @Test(arguments: Mode.allCases, scopeRows + queryRows + referenceRows)
    func `Every row of section 8 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static var any: Query { [kSecAttrSynchronizable: kSecAttrSynchronizableAny] }

    private static let scopeRows: [Row] = [
        Row("8 all matches are deleted") {
            for name in ["a", "b", "c"] { add(password(name)) }
            #expect(delete(genp([kSecAttrService: "shop"])) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("8 what does not match stays") {
            for name in ["a", "b", "c"] { add(password(name)) }
            #expect(delete(genp([kSecAttrAccount: "b"])) == errSecSuccess)
            #expect(accounts(genp()) == ["a", "c"])
        },
        Row("8 a class alone deletes every local item of the class") {
            add(password("a"))
            add(password("b", [kSecAttrSynchronizable: true]))
            add(inet())
            #expect(delete(genp()) == errSecSuccess)
            #expect(accounts(genp(any)) == ["b"])
            #expect(find(inet()) == errSecSuccess)
        },
        Row("8 a class alone deletes in all groups of the caller, and no other") {
            try asProgram(groups: [ownGroup, otherGroup(), otherGroup("third")]) {
                for group in [ownGroup, otherGroup(), otherGroup("third")] {
                    add(password("a", [kSecAttrAccessGroup: group]))
                }
            }
            try asProgram(groups: [ownGroup, otherGroup()]) { #expect(delete(genp()) == errSecSuccess) }
            try asProgram(groups: [ownGroup, otherGroup(), otherGroup("third")]) {
                #expect(attributes(genp())["agrp"] as? String == otherGroup("third"))
                #expect(accounts(genp()).count == 1)
            }
        },
        Row("8 nothing matched", gives: errSecItemNotFound) { delete(genp()) },
        Row("8 nothing matched among items", gives: errSecItemNotFound) {
            add(password())
            return delete(genp([kSecAttrAccount: "eve"]))
        },
        Row("8 deleting twice", gives: errSecItemNotFound) {
            add(password())
            delete(genp())
            return delete(genp())
        },
        Row("8 without sync only local items", gives: errSecItemNotFound) {
            add(password("a", [kSecAttrSynchronizable: true]))
            return delete(genp())
        },
        Row("8 sync Any deletes both") {
            add(password("a"))
            add(password("b", [kSecAttrSynchronizable: true]))
            #expect(delete(genp(any)) == errSecSuccess)
            #expect(find(genp(any)) == errSecItemNotFound)
        },
        Row("8 sync true deletes only synchronizable items") {
            add(password("a"))
            add(password("b", [kSecAttrSynchronizable: true]))
            #expect(delete(genp([kSecAttrSynchronizable: true])) == errSecSuccess)
            #expect(accounts(genp(any)) == ["a"])
        },
        Row("8 three hundred items are deleted at once") {
            for number in 0..<300 { add(genp([kSecAttrAccount: "\(number)"])) }
            #expect(delete(genp()) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
        },
    ]

    /// The status of a delete by a query with `more`, and whether the item is gone.
    private static func deleting(by more: Query) -> OSStatus {
        add(password())
        return delete(genp(more))
    }

    private static let queryRows: [Row] = [
        Row("8 kSecMatchLimit One deletes nothing") {
            #expect(deleting(by: [kSecMatchLimit: kSecMatchLimitOne]) == errSecParam)
            #expect(find(genp()) == errSecSuccess)
        },
        Row("8 kSecMatchLimit All deletes every match, as on macOS") {
            add(password("b"))
            #expect(deleting(by: [kSecMatchLimit: kSecMatchLimitAll]) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("8 kSecMatchLimit of a wrong kind", gives: errSecParam) { deleting(by: [kSecMatchLimit: "x"]) },
        Row("8 another match key", gives: errSecParam) { deleting(by: [kSecMatchCaseInsensitive: true]) },
        Row("8 an unknown match key", gives: errSecParam) { deleting(by: ["m_Whatever": true]) },
        Row("8 kSecMatchHostOrSubdomainOfHost", gives: errSecParam) {
            add(inet([kSecAttrServer: "a.org"]))
            return delete(inet([kSecMatchHostOrSubdomainOfHost: "a.org"]))
        },
        Row("8 kSecReturnAttributes", gives: errSecSuccess) { deleting(by: [kSecReturnAttributes: true]) },
        Row("8 all return keys", gives: errSecSuccess) {
            deleting(by: [
                kSecReturnAttributes: true, kSecReturnData: true, kSecReturnRef: true, kSecReturnPersistentRef: true,
            ])
        },
        Row("8 a return key that is no boolean", gives: errSecParam) { deleting(by: [kSecReturnData: 1]) },
        Row("8 the value is no filter", gives: errSecSuccess) { deleting(by: [kSecValueData: bytes("other")]) },
        Row("8 kSecUseItemList is ignored", gives: errSecSuccess) { deleting(by: [kSecUseItemList: ["x"]]) },
        Row("8 UISkip", gives: errSecParam) {
            deleting(by: [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
        },
        Row("8 an accc that is none", gives: errSecParam) { deleting(by: [kSecAttrAccessControl: "ak"]) },
        Row("8 an accc is no filter", gives: errSecSuccess) {
            deleting(by: [kSecAttrAccessControl: rules(kSecAttrAccessibleAlways) as Any])
        },
        Row("8 an unknown attribute", gives: errSecNoSuchAttr) { deleting(by: ["abcd": "x"]) },
        Row("8 no class", gives: errSecParam) { delete([kSecAttrAccount: "bob"]) },
        Row("8 an explicit foreign group", gives: errSecMissingEntitlement) {
            deleting(by: [kSecAttrAccessGroup: otherGroup()])
        },
        Row("8 com.apple.token", gives: errSecMissingEntitlement) {
            try asProgram(groups: [ownGroup, "com.apple.token"]) {
                deleting(by: [kSecAttrAccessGroup: kSecAttrAccessGroupToken])
            }
        },
        Row("8 an implicit foreign item") {
            add(password())
            try asProgram(groups: [otherGroup()]) { #expect(delete(genp()) == errSecItemNotFound) }
            #expect(find(genp()) == errSecSuccess)
        },
        Row("8 pdmn is a filter") {
            #expect(deleting(by: [kSecAttrAccessible: "dk"]) == errSecItemNotFound)
            #expect(delete(genp([kSecAttrAccessible: "ak"])) == errSecSuccess)
        },
        Row("8 mdat is a filter", gives: errSecItemNotFound) {
            deleting(by: [kSecAttrModificationDate: Date(timeIntervalSinceReferenceDate: 0)])
        },
    ]

    private static let referenceRows: [Row] = [
        Row("8 a persistent reference deletes that item alone") {
            for name in ["a", "b"] { add(password(name)) }
            #expect(delete(referred(reference(genp([kSecAttrAccount: "b"])))) == errSecSuccess)
            #expect(accounts(genp()) == ["a"])
        },
        Row("8 a persistent reference, the second time", gives: errSecItemNotFound) {
            add(password())
            let reference = reference(genp())
            delete(referred(reference))
            return delete(referred(reference))
        },
        Row("8 a persistent reference of a synchronizable item", gives: errSecSuccess) {
            add(password("a", [kSecAttrSynchronizable: true]))
            return delete(referred(reference(genp([kSecAttrSynchronizable: true]))))
        },
        Row("8 a persistent reference of a foreign item") {
            add(password())
            let reference = reference(genp())
            try asProgram(groups: [otherGroup()]) { #expect(delete(referred(reference)) == errSecItemNotFound) }
            #expect(find(genp()) == errSecSuccess)
        },
        Row("8 a malformed persistent reference", gives: errSecParam) {
            delete([kSecValuePersistentRef: Data([1, 2, 3])])
        },
        Row("8 an item deleted by its own query in a loop over all") {
            for name in ["a", "b", "c"] { add(password(name)) }
            let all = copying(genp([kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll]))
            for reference in all.object as? [Data] ?? [] { #expect(delete(referred(reference)) == errSecSuccess) }
            #expect(find(genp()) == errSecItemNotFound)
        },
    ]
}
