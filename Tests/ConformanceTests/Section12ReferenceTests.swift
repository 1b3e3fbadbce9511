// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct PersistentReferenceTests {
    @Test(arguments: Mode.allCases, rows)
    func `Every row of section 12 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    @Test(arguments: Mode.allCases, choiceRows)
    func `Every choice of section 16 is made`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static let rows: [Row] = [
        Row("12 a reference is opaque data that is not empty") {
            add(password())
            #expect(reference(genp())?.isEmpty == false)
        },
        Row("12 a reference begins with the class and has twenty bytes") {
            add(password())
            add(inet())
            #expect(reference(genp())?.prefix(4) == bytes("genp") && reference(genp())?.count == 20)
            #expect(reference(inet())?.prefix(4) == bytes("inet") && reference(inet())?.count == 20)
        },
        Row("12 a reference is the same at each request") {
            add(password())
            #expect(reference(genp()) == reference(genp([kSecAttrAccount: "bob"])))
            let all = copying(genp([kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(all.object as? [Data] == [reference(genp()) ?? Data()])
        },
        Row("12 references of two items differ") {
            add(password("a"))
            add(password("b"))
            let all =
                copying(genp([kSecReturnPersistentRef: true, kSecMatchLimit: kSecMatchLimitAll])).object as? [Data]
            #expect(Set(all ?? []).count == 2)
        },
        Row("12 a reference survives an update of value and attributes") {
            add(password())
            let before = reference(genp())
            update(genp(), [kSecValueData: bytes("new"), kSecAttrLabel: "l"])
            #expect(reference(genp()) == before)
        },
        Row("12 a reference survives an update of the key") {
            add(password())
            let before = reference(genp())
            update(genp(), [kSecAttrAccount: "eve", kSecAttrService: "bank"])
            #expect(reference(genp()) == before)
            #expect(value(referred(before)) == "bob")
        },
        Row("12 a reference dies with the item") {
            add(password())
            let before = reference(genp())
            delete(genp())
            #expect(find(referred(before)) == errSecItemNotFound)
            #expect(update(referred(before), [kSecAttrLabel: "l"]) == errSecItemNotFound)
            #expect(delete(referred(before)) == errSecItemNotFound)
        },
        Row("12 an identical item added again has another reference") {
            add(password())
            let before = reference(genp())
            delete(genp())
            add(password())
            #expect(reference(genp()) != before)
            #expect(find(referred(before)) == errSecItemNotFound)
        },
        Row("12 a refused duplicate leaves the reference alone") {
            add(password())
            let before = reference(genp())
            add(password())
            #expect(reference(genp()) == before)
        },
        Row("12 a reference is valid for every program with the group") {
            add(password())
            let reference = reference(genp())
            let shared = Program(applicationIdentifier: otherGroup(), accessGroups: [ownGroup])
            try asProgram(shared) { #expect(value(referred(reference)) == "bob") }
        },
        Row("12 a reference needs no class, and takes the right one") {
            add(inet([kSecAttrServer: "a.org", kSecValueData: bytes("v")]))
            let reference = reference(inet())
            #expect(value(referred(reference)) == "v")
            #expect(value(referred(reference, [kSecClass: kSecClassInternetPassword])) == "v")
            #expect(find(referred(reference, [kSecClass: kSecClassGenericPassword])) == errSecNoSuchClass)
        },
        Row("12 the reference that a copy by reference returns is the same") {
            add(password())
            let before = reference(genp())
            #expect(reference(referred(before)) == before)
        },
        Row("12 a reference with one bit changed finds nothing", gives: errSecItemNotFound) {
            add(password())
            var changed = reference(genp()) ?? Data()
            changed[changed.count - 1] ^= 1
            return find(referred(changed))
        },
    ]

    private static let choiceRows: [Row] = [
        Row("16 match keys in add", gives: errSecParam) { add(password("a", [kSecMatchLimit: kSecMatchLimitOne])) },
        Row("16 item list in add", gives: errSecParam) { add(password("a", [kSecUseItemList: [String]()])) },
        Row("16 sync and this device only", gives: errSecParam) {
            add(password("a", [kSecAttrSynchronizable: true, kSecAttrAccessible: "aku"]))
        },
        Row("16 a negative limit other than -1", gives: errSecParam) {
            add(password())
            return find(genp([kSecMatchLimit: -7]))
        },
        Row("16 no return key and an array limit") {
            add(password())
            let answer = copying(genp([kSecMatchLimit: kSecMatchLimitAll]))
            #expect(answer.status == errSecSuccess && answer.object == nil)
        },
        Row("16 insertion order, stable") {
            let names = ["c", "a", "b"]
            for name in names { add(password(name)) }
            for _ in 0..<3 { #expect(accounts(genp()) == names) }
        },
        Row("16 several errors give one of them") {
            let found = find(genp(["abcd": "x", "account": "y", kSecAttrLabel: true]))
            #expect([errSecNoSuchAttr, errSecParam].contains(found))
        },
        Row("16 D and P hold at least both") {
            add(password())
            let found = copying(genp([kSecReturnData: true, kSecReturnPersistentRef: true])).dictionary ?? [:]
            #expect(Set(found.keys).isSuperset(of: ["v_Data", "v_PersistentRef"]))
        },
        Row("16 a post-filter with limit one gives the first item that passes") {
            add(inet([kSecAttrServer: "other.org", kSecValueData: bytes("1")]))
            add(inet([kSecAttrServer: "www.a.org", kSecValueData: bytes("2")]))
            #expect(value(inet([kSecMatchHostOrSubdomainOfHost: "a.org"])) == "2")
        },
    ]
}
