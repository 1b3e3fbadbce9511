// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct CommonAttributeTests {
    @Test(arguments: Mode.allCases, defaultRows("genp") + defaultRows("inet") + keyRows + dateRows + memberRows)
    func `Every row of section 4 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static func defaultRows(_ itemClass: String) -> [Row] {
        let items: @Sendable () -> Query = { [kSecClass: NSString(string: itemClass)] }
        return [
            Row("4 \(itemClass) needs no attributes at all, and once only") {
                #expect(add(items()) == errSecSuccess)
                #expect(add(items()) == errSecDuplicateItem)
            },
            Row("4 \(itemClass) agrp defaults to the program's first group") {
                add(items())
                #expect(attributes(items())["agrp"] as? String == ownGroup)
            },
            Row("4 \(itemClass) sync defaults to 0, as a number") {
                add(items())
                let found = attributes(items())["sync"] as AnyObject
                #expect(found as? NSNumber == 0 && CFGetTypeID(found) == CFNumberGetTypeID())
            },
            Row("4 \(itemClass) pdmn defaults to ak") {
                add(items())
                #expect(attributes(items())["pdmn"] as? String == "ak")
            },
            Row("4 \(itemClass) accc is in the attributes of a copy and derived from pdmn") {
                add(items())
                #expect(attributes(items())["accc"] is SecAccessControl)
            },
            Row("4 \(itemClass) cdat and mdat default to now") {
                let before = Date()
                add(items())
                let found = attributes(items())
                for name in ["cdat", "mdat"] {
                    let date = try #require(found[name] as? Date)
                    #expect(date >= before && date <= Date())
                }
            },
            Row("4 \(itemClass) tomb is 0 and musr is empty data in results") {
                add(items())
                let found = attributes(items())
                #expect(found["tomb"] as? NSNumber == 0)
                #expect(found["musr"] as? Data == Data())
            },
            Row("4 \(itemClass) UUID, persistref, class and value are not in attribute results") {
                add(items().merging([kSecValueData: Data([1])]) { _, new in new })
                let found = attributes(items())
                for name in ["UUID", "persistref", "class", "v_Data", "v_Ref", "v_PersistentRef", "sha1"] {
                    #expect(found[name] == nil, "\(name)")
                }
                #expect(!found.isEmpty)
            },
        ]
    }

    private static let keyRows: [Row] = [
        Row("4 agrp makes another item", gives: errSecSuccess) {
            try asProgram(groups: [ownGroup, otherGroup()]) {
                add(password())
                return add(password("bob", [kSecAttrAccessGroup: otherGroup()]))
            }
        },
        Row("4 sync makes another item", gives: errSecSuccess) {
            add(password())
            return add(password("bob", [kSecAttrSynchronizable: true]))
        },
        Row("4 tkid and vwht are each part of the key") {
            #expect(add(password()) == errSecSuccess)
            #expect(add(password("bob", [kSecAttrTokenID: "t"])) == errSecSuccess)
            #expect(add(password("bob", [kSecAttrSyncViewHint: "t"])) == errSecSuccess)
            #expect(add(password("bob", [kSecAttrTokenID: "t", kSecAttrSyncViewHint: "t"])) == errSecSuccess)
            #expect(add(password("bob", [kSecAttrTokenID: "t"])) == errSecDuplicateItem)
            #expect(accounts(genp()).count == 4)
        },
        Row("4 pdmn makes no other item", gives: errSecDuplicateItem) {
            add(password())
            return add(password("bob", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
        },
        Row("4 accc makes no other item", gives: errSecDuplicateItem) {
            add(password())
            return add(password("bob", [kSecAttrAccessControl: rules() as Any]))
        },
        Row("4 the value makes no other item", gives: errSecDuplicateItem) {
            add(password())
            return add(password("bob", [kSecValueData: bytes("other")]))
        },
        Row("4 string and data of equal bytes are one key") {
            #expect(add(genp([kSecAttrAccount: "bob", kSecAttrService: bytes("shop")])) == errSecSuccess)
            #expect(add(genp([kSecAttrAccount: bytes("bob"), kSecAttrService: "shop"])) == errSecDuplicateItem)
        },
        Row("4 two spellings that Unicode calls equal are two keys") {
            #expect(add(genp([kSecAttrAccount: "é"])) == errSecSuccess)
            #expect(add(genp([kSecAttrAccount: "e\u{301}"])) == errSecSuccess)
            #expect(accounts(genp()).count == 2)
        },
        Row("4 names that differ only in where one ends are two keys", gives: errSecSuccess) {
            add(genp([kSecAttrAccount: "ab", kSecAttrService: "c"]))
            return add(genp([kSecAttrAccount: "a", kSecAttrService: "bc"]))
        },
        Row("4 pdmn is searched by equality") {
            add(password("a", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
            add(password("b"))
            #expect(accounts(genp([kSecAttrAccessible: kSecAttrAccessibleAlways])) == ["a"])
            #expect(accounts(genp([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])) == ["b"])
            #expect(find(genp([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])) == errSecItemNotFound)
        },
        Row("4 the value and the access control are no search terms") {
            add(password("a"))
            let query = genp([kSecValueData: bytes("other"), kSecAttrAccessControl: rules() as Any])
            #expect(find(query) == errSecSuccess)
        },
    ]

    private static let dateRows: [Row] = [
        Row("4 cdat of the caller is overwritten by an add") {
            add(password("a", [kSecAttrCreationDate: Date(timeIntervalSinceReferenceDate: 1)]))
            #expect(seconds("cdat", genp()) > 100_000_000)
        },
        Row("4 mdat of the caller is overwritten by an add") {
            add(password("a", [kSecAttrModificationDate: Date.distantFuture]))
            #expect(seconds("mdat", genp()) < Date.distantFuture.timeIntervalSinceReferenceDate)
        },
        Row("4 cdat can be changed by an update and searched") {
            let date = Date(timeIntervalSinceReferenceDate: 12.5)
            add(password())
            #expect(update(genp(), [kSecAttrCreationDate: date]) == errSecSuccess)
            #expect(attributes(genp([kSecAttrCreationDate: date]))["cdat"] as? Date == date)
        },
        Row("4 cdat does not move by an update of something else") {
            add(password())
            let before = seconds("cdat", genp())
            update(genp(), [kSecAttrLabel: "l", kSecValueData: bytes("new")])
            #expect(seconds("cdat", genp()) == before)
        },
        Row("4 mdat of the caller is ignored by an update") {
            add(password())
            #expect(update(genp(), [kSecAttrModificationDate: Date.distantPast]) == errSecSuccess)
            #expect(seconds("mdat", genp()) > 100_000_000)
        },
        Row("4 mdat grows by a millisecond at least at each update, however fast they come") {
            add(password())
            var last = seconds("mdat", genp())
            for step in 0..<5 {
                update(genp(), [kSecAttrLabel: "\(step)"])
                let next = seconds("mdat", genp())
                #expect(next - last > 0.000_999)
                last = next
            }
        },
        Row("4 mdat grows even when the clock went back an hour") {
            add(password())
            let last = seconds("mdat", genp())
            try withClockBack(seconds: 3600) {
                #expect(update(genp(), [kSecAttrLabel: "l"]) == errSecSuccess)
            }
            #expect(seconds("mdat", genp()) > last)
            #expect(seconds("mdat", genp()) < last + 1)
        },
        Row("4 mdat is searched by equality, and an update makes the old date find nothing") {
            add(password())
            let date = try #require(attributes(genp())["mdat"] as? Date)
            #expect(find(genp([kSecAttrModificationDate: date])) == errSecSuccess)
            update(genp(), [kSecAttrLabel: "l"])
            #expect(find(genp([kSecAttrModificationDate: date])) == errSecItemNotFound)
        },
    ]

    private static let memberRows: [Row] = [
        Row("4 sha1 has twenty bytes and comes with attributes and data together") {
            add(password())
            let found = copying(genp([kSecReturnAttributes: true, kSecReturnData: true])).dictionary
            #expect((found?["sha1"] as? Data)?.count == 20)
        },
        Row("4 sha1 is the same at each copy and in the answer to the add") {
            let both: Query = [kSecReturnAttributes: true, kSecReturnData: true]
            let added = adding(password("bob", both)).dictionary?["sha1"] as? Data
            #expect(added != nil)
            for _ in 0..<2 { #expect(copying(genp(both)).dictionary?["sha1"] as? Data == added) }
        },
        Row("4 sha1 changes with the value") {
            let both = genp([kSecReturnAttributes: true, kSecReturnData: true])
            add(password())
            let before = copying(both).dictionary?["sha1"] as? Data
            update(genp(), [kSecValueData: bytes("new")])
            #expect(copying(both).dictionary?["sha1"] as? Data != before)
        },
        Row("4 sha1 of an item without a value does not depend on its neighbours") {
            let both: Query = [kSecReturnAttributes: true, kSecReturnData: true]
            add(genp([kSecAttrAccount: "none"]))
            let alone = copying(genp(both)).dictionary?["sha1"] as? Data
            add(password("neighbour"))
            let all = copying(genp(both.merging([kSecMatchLimit: kSecMatchLimitAll]) { _, new in new })).dictionaries
            #expect(all?.first?["sha1"] as? Data == alone)
        },
        Row("4 tomb and musr of the caller change nothing") {
            add(password())
            #expect(update(genp(), [kSecAttrTombstone: 0, kSecAttrMultiUser: Data()]) == errSecSuccess)
            #expect(attributes(genp())["tomb"] as? NSNumber == 0)
            #expect(attributes(genp())["musr"] as? Data == Data())
        },
        Row("4 accc is in an add's attributes only if it was given") {
            let plain = adding(password("a", [kSecReturnAttributes: true])).dictionary
            #expect(plain != nil && plain?["accc"] == nil)
            let given = adding(password("b", [kSecAttrAccessControl: rules() as Any, kSecReturnAttributes: true]))
            #expect(given.dictionary?["accc"] as? SecAccessControl == rules())
        },
        Row("4 several attributes at once must all hold") {
            add(password("a", [kSecAttrLabel: "l", kSecAttrComment: "c", kSecAttrType: 1]))
            add(password("b", [kSecAttrLabel: "l", kSecAttrComment: "d", kSecAttrType: 1]))
            #expect(accounts(genp([kSecAttrLabel: "l", kSecAttrType: 1])) == ["a", "b"])
            #expect(accounts(genp([kSecAttrLabel: "l", kSecAttrComment: "d", kSecAttrType: 1])) == ["b"])
            #expect(find(genp([kSecAttrLabel: "l", kSecAttrComment: "c", kSecAttrType: 2])) == errSecItemNotFound)
        },
        Row("4 names of any bytes are kept: emoji, newline, NUL, 64 KiB") {
            for name in ["🔑👩‍💻", "a\nb", "a\0b", String(repeating: "é", count: 32768)] {
                #expect(add(password(name)) == errSecSuccess)
                #expect(attributes(genp([kSecAttrAccount: name]))["acct"] as? String == name)
            }
            #expect(accounts(genp()).count == 4)
        },
    ]
}
