// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct CopyLimitTests {
    @Test(arguments: Mode.allCases, countRows + refusedRows + orderRows)
    func `Every row of section 6 1 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    @Test(arguments: Mode.allCases, synchronizableRows + otherRows)
    func `Every row of section 6 2 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    /// The answer of a copy of values with that limit, from a keychain with three items.
    private static func limited(_ limit: Any) -> Answer {
        for account in ["a", "b", "c"] { add(password(account)) }
        return copying(genp([kSecMatchLimit: limit, kSecReturnData: true]))
    }

    private static let abc = ["a", "b", "c"].map(bytes)

    private static let countRows: [Row] = [
        Row("6.1 no limit gives the first match, bare") {
            add(password("a"))
            add(password("b"))
            #expect(copying(genp([kSecReturnData: true])).data == bytes("a"))
        },
        Row("6.1 kSecMatchLimitOne gives the first match, bare") {
            #expect(limited(kSecMatchLimitOne).data == bytes("a"))
        },
        Row("6.1 the number 1 gives the first match, bare") { #expect(limited(1).data == bytes("a")) },
        Row("6.1 kSecMatchLimitAll gives an array of all") {
            #expect(limited(kSecMatchLimitAll).object as? [Data] == abc)
        },
        Row("6.1 the number -1 gives an array of all") { #expect(limited(-1).object as? [Data] == abc) },
        Row("6.1 the number 2 gives an array of at most two") {
            #expect(limited(2).object as? [Data] == Array(abc[..<2]))
        },
        Row("6.1 the number 3 gives an array of three") { #expect(limited(3).object as? [Data] == abc) },
        Row("6.1 a number above the matches gives an array of all") {
            #expect(limited(1000).object as? [Data] == abc)
        },
        Row("6.1 a number of 64 bits gives an array of all") {
            #expect(limited(NSNumber(value: Int64.max)).object as? [Data] == abc)
        },
        Row("6.1 a whole number as floating point counts") {
            #expect(limited(NSNumber(value: 2.0)).object as? [Data] == Array(abc[..<2]))
        },
        Row("6.1 an array limit gives an array of one match too") {
            add(password("a"))
            for limit: Any in [kSecMatchLimitAll, 2, -1] {
                #expect(copying(genp([kSecMatchLimit: limit, kSecReturnData: true])).object as? [Data] == [bytes("a")])
            }
        },
        Row("6.1 the number 0 finds nothing") {
            let answer = limited(0)
            #expect(answer.status == errSecItemNotFound && answer.object == nil)
        },
        Row("6.1 nothing matched with limit one leaves the result alone") {
            var object: AnyObject? = NSString("untouched")
            let status = unsafe SecItemCopyMatching(genp([kSecReturnData: true]) as CFDictionary, &object)
            #expect(status == errSecItemNotFound && object as? String == "untouched")
        },
        Row("6.1 nothing matched with limit all is no empty array") {
            var object: AnyObject? = NSString("untouched")
            let query = genp([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &object)
            #expect(status == errSecItemNotFound && object as? String == "untouched")
        },
    ]

    private static let refusedRows: [Row] = [
        Row("6.1 a boolean true", gives: errSecParam) { limited(true).status },
        Row("6.1 a boolean false", gives: errSecParam) { limited(false).status },
        Row("6.1 another string", gives: errSecParam) { limited("all").status },
        Row("6.1 a digit as string", gives: errSecParam) { limited("1").status },
        Row("6.1 an empty string", gives: errSecParam) { limited("").status },
        Row("6.1 data", gives: errSecParam) { limited(Data([1])).status },
        Row("6.1 a date", gives: errSecParam) { limited(Date()).status },
        Row("6.1 an array", gives: errSecParam) { limited([1]).status },
        Row("6.1 the number -2", gives: errSecParam) { limited(-2).status },
        Row("6.1 the smallest number", gives: errSecParam) { limited(NSNumber(value: Int64.min)).status },
        Row("6.1 a number with a fraction", gives: errSecParam) { limited(NSNumber(value: 1.5)).status },
    ]

    private static let orderRows: [Row] = [
        Row("6.1 answers are in the order of adding, whatever the names") {
            let names = ["zebra", "apple", "mango", "", "Ünder"]
            for name in names { add(password(name)) }
            #expect(accounts(genp()) == names)
            #expect(accounts(genp([kSecAttrService: "shop"])) == names)
        },
        Row("6.1 an update does not change the order") {
            for name in ["a", "b", "c"] { add(password(name)) }
            update(genp([kSecAttrAccount: "a"]), [kSecAttrAccount: "z", kSecValueData: bytes("z")])
            #expect(accounts(genp()) == ["z", "b", "c"])
        },
        Row("6.1 the order spans groups and sync values") {
            try asProgram(groups: [ownGroup, otherGroup()]) {
                add(password("a", [kSecAttrAccessGroup: otherGroup()]))
                add(password("b", [kSecAttrSynchronizable: true]))
                add(password("c"))
                add(password("d", [kSecAttrAccessGroup: otherGroup()]))
                let all = genp([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
                #expect(accounts(all) == ["a", "b", "c", "d"])
                let two = all.merging([kSecMatchLimit: 2, kSecReturnData: true]) { _, new in new }
                #expect(copying(two).object as? [Data] == [bytes("a"), bytes("b")])
            }
        },
        Row("6.1 a deleted and added item comes last") {
            for name in ["a", "b"] { add(password(name)) }
            delete(genp([kSecAttrAccount: "a"]))
            add(password("a"))
            #expect(accounts(genp()) == ["b", "a"])
        },
        Row("6.1 two hundred items all come back") {
            let names = (0..<200).map { "account \($0)" }
            for name in names { add(genp([kSecAttrAccount: name])) }
            #expect(accounts(genp()) == names)
        },
    ]

    /// The accounts that a query finds among a local item and a synchronizable one.
    private static func found(_ more: Query) -> [String] {
        add(password("local"))
        add(password("synced", [kSecAttrSynchronizable: true]))
        return accounts(genp(more))
    }

    private static let synchronizableRows: [Row] = [
        Row("6.2 without sync only local items") { #expect(found([:]) == ["local"]) },
        Row("6.2 sync false") { #expect(found([kSecAttrSynchronizable: false]) == ["local"]) },
        Row("6.2 sync 0") { #expect(found([kSecAttrSynchronizable: 0]) == ["local"]) },
        Row("6.2 sync “0”") { #expect(found([kSecAttrSynchronizable: "0"]) == ["local"]) },
        Row("6.2 sync true") { #expect(found([kSecAttrSynchronizable: true]) == ["synced"]) },
        Row("6.2 sync 1") { #expect(found([kSecAttrSynchronizable: 1]) == ["synced"]) },
        Row("6.2 sync “1”") { #expect(found([kSecAttrSynchronizable: "1"]) == ["synced"]) },
        Row("6.2 sync Any") {
            #expect(found([kSecAttrSynchronizable: kSecAttrSynchronizableAny]) == ["local", "synced"])
        },
        Row("6.2 only a synchronizable item, asked for without sync", gives: errSecItemNotFound) {
            add(password("synced", [kSecAttrSynchronizable: true]))
            return find(genp())
        },
        Row("6.2 a reference finds a synchronizable item without sync", gives: errSecSuccess) {
            add(password("synced", [kSecAttrSynchronizable: true]))
            return find(referred(reference(genp([kSecAttrSynchronizable: true]))))
        },
    ]

    private static let otherRows: [Row] = [
        Row("6.2 without a group all of the caller's") {
            try asProgram(groups: [ownGroup, otherGroup()]) {
                add(password("a"))
                add(password("b", [kSecAttrAccessGroup: otherGroup()]))
                #expect(accounts(genp()) == ["a", "b"])
                #expect(accounts(genp([kSecAttrAccessGroup: otherGroup()])) == ["b"])
            }
        },
        Row("6.2 a group that is not the caller's", gives: errSecMissingEntitlement) {
            find(genp([kSecAttrAccessGroup: otherGroup()]))
        },
        Row("6.2 without pdmn all classes") {
            add(password("a", [kSecAttrAccessible: "dk"]))
            add(password("b", [kSecAttrAccessible: "ck"]))
            #expect(accounts(genp()) == ["a", "b"])
            #expect(accounts(genp([kSecAttrAccessible: "ck"])) == ["b"])
        },
        Row("6.2 pdmn together with the whole key") {
            add(password("a", [kSecAttrAccessible: "dk"]))
            let key: Query = [kSecAttrAccount: "a", kSecAttrService: "shop"]
            #expect(find(genp(key.merging([kSecAttrAccessible: "dk"]) { _, new in new })) == errSecSuccess)
            #expect(find(genp(key.merging([kSecAttrAccessible: "ak"]) { _, new in new })) == errSecItemNotFound)
        },
        Row("6.2 the value is no filter", gives: errSecSuccess) {
            add(password())
            return find(genp([kSecValueData: bytes("something else")]))
        },
        Row("6.2 a value of a wrong kind is no filter either", gives: errSecSuccess) {
            add(password())
            return find(genp([kSecValueData: "something else"]))
        },
        Row("6.2 the access control is no filter", gives: errSecSuccess) {
            add(password())
            return find(genp([kSecAttrAccessControl: rules(kSecAttrAccessibleAlways) as Any]))
        },
        Row("6.2 all conditions must hold", gives: errSecItemNotFound) {
            add(password("a"))
            add(genp([kSecAttrAccount: "b", kSecAttrService: "bank"]))
            return find(genp([kSecAttrAccount: "a", kSecAttrService: "bank"]))
        },
    ]
}
