// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct ValueKindTests {
    @Test(arguments: Mode.allCases, secretRows + dateRows + textRows + accessibilityRows + accessControlRows)
    func `Every other row of section 3.3 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static let secretRows: [Row] = [
        Row("3.3 a value that is a string, in add", gives: errSecParam) { add(genp([kSecValueData: "secret"])) },
        Row("3.3 a value that is a number, in add", gives: errSecParam) { add(genp([kSecValueData: 5])) },
        Row("3.3 a value that is a boolean, in add", gives: errSecParam) { add(genp([kSecValueData: true])) },
        Row("3.3 a value that is null, in add", gives: errSecParam) { add(genp([kSecValueData: NSNull()])) },
        Row("3.3 a value that is an array, in add", gives: errSecParam) { add(genp([kSecValueData: [Data()]])) },
        Row("3.3 a value that is a string, in update", gives: errSecParam) {
            add(password())
            return update(genp(), [kSecValueData: "secret"])
        },
        Row("3.3 a value that is a number, in update", gives: errSecParam) {
            add(password())
            return update(genp(), [kSecValueData: 5])
        },
        Row("3.3 a value that is null, in update", gives: errSecParam) {
            add(password())
            return update(genp(), [kSecValueData: NSNull()])
        },
        Row("3.3 a value is data and comes back as data") {
            let all = Data((0...255).map { UInt8($0) })
            add(genp([kSecValueData: all]))
            #expect(copying(genp([kSecReturnData: true])).data == all)
        },
        Row("3.3 a value may be mutable data", gives: errSecSuccess) {
            add(genp([kSecValueData: NSMutableData(data: bytes("x"))]))
        },
        Row("3.3 a value of one megabyte comes back") {
            let large = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            #expect(add(genp([kSecValueData: large])) == errSecSuccess)
            #expect(copying(genp([kSecReturnData: true])).data == large)
        },
    ]

    private static let dateRows: [Row] = ["cdat", "mdat"].flatMap { code in
        let key = NSString(string: code)
        let refused: [(String, @Sendable () -> Any)] = [
            ("a string", { "2001-01-01" }), ("a number", { 0 }), ("data", { Data([1]) }), ("a boolean", { true }),
        ]
        return refused.map { what, value in
            Row("3.3 \(code) refuses \(what)") {
                #expect(find(genp([NSString(string: code): value()])) == errSecParam)
                #expect(add(genp([NSString(string: code): value()])) == errSecParam)
            }
        } + [
            Row("3.3 \(code) comes back as a date and finds the item") {
                let key = NSString(string: code)
                add(password())
                let date = try #require(attributes(genp())[code] as? Date)
                #expect(find(genp([key: date])) == errSecSuccess)
                #expect(find(genp([key: date.addingTimeInterval(1)])) == errSecItemNotFound)
            }
        ]
    }

    private static let textRows: [Row] =
        ["tkid", "vwht"].flatMap { code -> [Row] in
            [
                Row("3.3 \(code) as UTF-8 data comes back as a string") {
                    let key = NSString(string: code)
                    add(genp([key: bytes("vïew")]))
                    #expect(attributes(genp())[code] as? String == "vïew")
                    #expect(find(genp([key: "vïew"])) == errSecSuccess)
                },
                Row("3.3 \(code) as UUID comes back as its string") {
                    let uuid = UUID()
                    add(genp([NSString(string: code): uuid]))
                    #expect(attributes(genp())[code] as? String == uuid.uuidString)
                },
                Row("3.3 \(code) refuses a number", gives: errSecParam) { add(genp([NSString(string: code): 5])) },
                Row("3.3 \(code) refuses a boolean", gives: errSecParam) { add(genp([NSString(string: code): true])) },
                Row("3.3 \(code) refuses a date", gives: errSecParam) { add(genp([NSString(string: code): Date()])) },
            ]
        } + [
            Row("3.3 agrp as UTF-8 data names the group", gives: errSecSuccess) {
                add(password())
                return find(genp([kSecAttrAccessGroup: bytes(ownGroup)]))
            },
            Row("3.3 agrp refuses a number", gives: errSecParam) { find(genp([kSecAttrAccessGroup: 5])) },
            Row("3.3 agrp refuses a boolean", gives: errSecParam) { add(genp([kSecAttrAccessGroup: true])) },
            Row("3.3 agrp refuses a date", gives: errSecParam) { find(genp([kSecAttrAccessGroup: Date()])) },
        ]

    private static let accessibilityRows: [Row] =
        ["", "AK", "ak ", "akp", "whatever", "f"].map { code in
            Row("3.3 pdmn “\(code)” is none of the constants") {
                add(password())
                #expect(add(genp([kSecAttrAccessible: code])) == errSecParam)
                #expect(find(genp([kSecAttrAccessible: code])) == errSecParam)
                #expect(update(genp(), [kSecAttrAccessible: code]) == errSecParam)
                #expect(update(genp([kSecAttrAccessible: code]), [kSecAttrLabel: "l"]) == errSecParam)
                #expect(delete(genp([kSecAttrAccessible: code])) == errSecParam)
            }
        } + [
            Row("3.3 pdmn as UTF-8 data is accepted") {
                #expect(add(genp([kSecAttrAccessible: bytes("ck")])) == errSecSuccess)
                #expect(attributes(genp())["pdmn"] as? String == "ck")
            },
            Row("3.3 pdmn refuses a number", gives: errSecParam) { add(genp([kSecAttrAccessible: 5])) },
            Row("3.3 pdmn refuses a boolean", gives: errSecParam) { find(genp([kSecAttrAccessible: true])) },
        ]

    private static let accessControlRows: [Row] = [
        Row("3.3 accc refuses a string") {
            #expect(add(genp([kSecAttrAccessControl: "ak"])) == errSecParam)
            #expect(find(genp([kSecAttrAccessControl: "ak"])) == errSecParam)
            #expect(delete(genp([kSecAttrAccessControl: "ak"])) == errSecParam)
        },
        Row("3.3 accc refuses data", gives: errSecParam) { add(genp([kSecAttrAccessControl: Data([1])])) },
        Row("3.3 accc refuses a number", gives: errSecParam) { find(genp([kSecAttrAccessControl: 5])) },
        Row("3.3 update: accc refuses a string", gives: errSecParam) {
            add(password())
            return update(genp(), [kSecAttrAccessControl: "ak"])
        },
        Row("3.3 pdmn with an object made with flags 0 and the same protection", gives: errSecParam) {
            add(genp([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: rules() as Any]))
        },
        Row("3.3 pdmn with an object of another protection", gives: errSecParam) {
            let other = rules(kSecAttrAccessibleAlways) as Any
            return add(genp([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: other]))
        },
        Row("3.3 copy: pdmn with an object that has rules", gives: errSecParam) {
            find(genp([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: rules() as Any]))
        },
        Row("3.3 delete: pdmn with an object that has rules", gives: errSecParam) {
            delete(genp([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: rules() as Any]))
        },
        Row("3.3 update: pdmn with an object that has rules", gives: errSecParam) {
            add(password())
            let both: Query = [
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrAccessControl: rules() as Any,
            ]
            return update(genp(), both)
        },
        Row("3.3 the pair that was read back is accepted by copy, add, update and delete") {
            add(password("a", [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]))
            let read = attributes(genp())
            let pair: Query = [
                kSecAttrAccessible: try #require(read["pdmn"]), kSecAttrAccessControl: try #require(read["accc"]),
            ]
            #expect(find(genp(pair)) == errSecSuccess)
            #expect(add(password("b", pair)) == errSecSuccess)
            #expect(update(genp(pair), pair) == errSecSuccess)
            #expect(delete(genp(pair)) == errSecSuccess)
        },
        Row("3.3 the accc of an item added with plain pdmn has the protection and no rules") {
            add(password("a", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
            add(password("b", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
            let first = attributes(password("a"))["accc"] as? SecAccessControl
            let second = attributes(password("b"))["accc"] as? SecAccessControl
            #expect(first != nil && first == second)
            #expect(first != rules(kSecAttrAccessibleAlways))
        },
    ]
}
