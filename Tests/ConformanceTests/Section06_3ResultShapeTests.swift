// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct ResultShapeTests {
    @Test(arguments: Mode.allCases, ["genp", "inet"].flatMap { shapeRows($0) })
    func `Every combination of return keys has the shape of section 6 3`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

    @Test(arguments: Mode.allCases, rows + withoutValueRows)
    func `Every other row of sections 6 3 and 6 4 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static let flags: [(letter: Character, key: String)] = [
        ("D", "r_Data"), ("A", "r_Attributes"), ("R", "r_Ref"), ("P", "r_PersistentRef"),
    ]

    /// All sixteen combinations, with limit one and with an array limit.
    private static func shapeRows(_ itemClass: String) -> [Row] {
        (0..<16).flatMap { bits -> [Row] in
            let chosen = flags.indices.filter { bits >> $0 & 1 == 1 }.map { flags[$0] }
            let letters = String(chosen.map(\.letter))
            let query: @Sendable () -> Query = {
                var query: Query = [kSecClass: itemClass]
                for flag in chosen { query[NSString(string: flag.key)] = true }
                return query
            }
            let item: @Sendable () -> Query = {
                [kSecClass: itemClass, kSecAttrAccount: "bob", kSecValueData: bytes("v")]
            }
            return [
                Row("6.3 \(itemClass), flags “\(letters)”, limit one") {
                    add(item())
                    let answer = copying(query())
                    #expect(answer.status == errSecSuccess)
                    expect(answer.object, letters, itemClass)
                },
                Row("6.3 \(itemClass), flags “\(letters)”, array limit") {
                    add(item())
                    add(item().merging([kSecAttrAccount: "eve"]) { _, new in new })
                    let answer = copying(query().merging([kSecMatchLimit: kSecMatchLimitAll]) { _, new in new })
                    #expect(answer.status == errSecSuccess)
                    switch letters {
                    case "": #expect(answer.object == nil)
                    case "R": #expect(answer.array?.isEmpty == true)
                    default:
                        #expect(answer.array?.count == 2)
                        for element in answer.array ?? [] { expect(element as AnyObject, letters, itemClass) }
                    }
                },
            ]
        }
    }

    private static let names: Set<String> = [
        "acct", "agrp", "pdmn", "cdat", "mdat", "sync", "tomb", "musr", "accc",
    ]

    private static func expect(_ object: AnyObject?, _ letters: String, _ itemClass: String) {
        switch letters {
        case "", "R": #expect(object == nil)
        case "D": #expect(object as? Data == bytes("v"))
        case "P": #expect((object as? Data)?.isEmpty == false)
        default:
            let found = object as? [String: Any]
            #expect(found != nil)
            let keys = Set((found ?? [:]).keys)
            #expect(letters.contains("D") == keys.contains("v_Data"))
            #expect(letters.contains("P") == keys.contains("v_PersistentRef"))
            #expect(letters.contains("R") == keys.contains("class"))
            if letters.contains("A") { #expect(keys.isSuperset(of: names)) }
            #expect((letters.contains("A") && letters.contains("D")) == keys.contains("sha1"))
            #expect(!keys.contains("v_Ref"), "passwords have no reference")
            if letters.contains("D") { #expect(found?["v_Data"] as? Data == bytes("v")) }
            if letters.contains("R") { #expect(found?["class"] as? String == itemClass) }
        }
    }

    private static let rows: [Row] = [
        Row("6.3 a flag that is false is as if absent") {
            add(password())
            #expect(copying(genp([kSecReturnData: false])).object == nil)
            #expect(copying(genp([kSecReturnData: true, kSecReturnAttributes: false])).data == bytes("bob"))
            #expect(copying(genp([kSecReturnRef: false, kSecReturnData: true])).data == bytes("bob"))
        },
        Row("6.3 flags without a result pointer", gives: errSecSuccess) {
            add(password())
            return find(genp([kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true]))
        },
        Row("6.3 flags without a result pointer, nothing there", gives: errSecItemNotFound) {
            find(genp([kSecReturnData: true]))
        },
        Row("6.3 attributes contain the defaults of columns that are not null") {
            add(inet())
            let found = attributes(inet())
            for name in ["acct", "sdmn", "srvr", "atyp", "path"] { #expect(found[name] as? String == "", "\(name)") }
            for name in ["ptcl", "port"] { #expect(found[name] as? NSNumber == 0, "\(name)") }
        },
        Row("6.3 attributes contain nothing that the item has not") {
            add(genp([kSecAttrLabel: "l"]))
            let expected = names.union(["svce", "labl"])
            #expect(Set(attributes(genp()).keys) == expected)
        },
        Row("6.3 attributes with class put back are a query for the same item") {
            add(password("a", [kSecAttrLabel: "l", kSecAttrGeneric: Data([0, 1]), kSecAttrIsInvisible: true]))
            add(password("b"))
            var read = attributes(genp([kSecAttrAccount: "a"]))
            read["class"] = "genp"
            read["r_Data"] = true
            var object: AnyObject?
            let status = unsafe SecItemCopyMatching(read as CFDictionary, &object)
            #expect(status == errSecSuccess && object as? Data == bytes("a"))
        },
        Row("6.3 inet attributes with class put back are a query for the same item") {
            add(
                inet([
                    kSecAttrServer: "example.org", kSecAttrPort: 443, kSecAttrProtocol: kSecAttrProtocolHTTPS,
                    kSecAttrPath: "/", kSecValueData: bytes("v"),
                ]))
            var read = attributes(inet())
            read["class"] = "inet"
            #expect(SecItemCopyMatching(read as CFDictionary, nil) == errSecSuccess)
        },
        Row("6.3 attributes of an item with rules are no query, but they are without pdmn") {
            add(password("a", [kSecAttrAccessControl: rules() as Any]))
            var read = attributes(genp())
            read["class"] = "genp"
            #expect(SecItemCopyMatching(read as CFDictionary, nil) == errSecParam)
            read["pdmn"] = nil
            #expect(SecItemCopyMatching(read as CFDictionary, nil) == errSecSuccess)
        },
        Row("6.3 attributes with class put back delete the item") {
            add(password())
            var read = attributes(genp())
            read["class"] = "genp"
            #expect(SecItemDelete(read as CFDictionary) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
        },
        Row("6.3 attributes read back add an equal item after a delete") {
            add(password("a", [kSecAttrLabel: "l"]))
            var read = copying(genp([kSecReturnAttributes: true, kSecReturnData: true])).dictionary ?? [:]
            delete(genp())
            read["class"] = "genp"
            #expect(SecItemAdd(read as CFDictionary, nil) == errSecSuccess)
            #expect(value(genp([kSecAttrLabel: "l"])) == "a")
        },
        Row("6.3 a constant finds the attribute in a dictionary with string keys") {
            add(password())
            let found = attributes(genp())
            #expect(found[kSecAttrAccount as String] as? String == "bob")
        },
    ]

    private static let withoutValueRows: [Row] = [
        Row("6.4 D, limit one, no value") {
            add(genp())
            let answer = copying(genp([kSecReturnData: true]))
            #expect(answer.status == errSecSuccess && answer.object == nil)
        },
        Row("6.4 D, array limit, some without value") {
            add(password("a"))
            add(genp([kSecAttrAccount: "b"]))
            add(password("c"))
            let answer = copying(genp([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(answer.object as? [Data] == [bytes("a"), bytes("c")])
        },
        Row("6.4 D, array limit, none with a value") {
            add(genp())
            let answer = copying(genp([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(answer.status == errSecSuccess && answer.array?.isEmpty == true)
        },
        Row("6.4 D and A without value") {
            add(genp())
            let found = copying(genp([kSecReturnData: true, kSecReturnAttributes: true])).dictionary
            #expect(found != nil && found?["v_Data"] == nil)
        },
        Row("6.4 D and A, array limit: items without value stay") {
            add(genp([kSecAttrAccount: "a"]))
            add(password("b"))
            let query = genp([
                kSecReturnData: true, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
            ])
            let found = copying(query).dictionaries
            #expect(found?.map { $0["v_Data"] as? Data } == [nil, bytes("b")])
        },
        Row("6.4 D and P without value") {
            add(genp())
            let found = copying(genp([kSecReturnData: true, kSecReturnPersistentRef: true])).dictionary
            #expect(found?["v_PersistentRef"] is Data && found?["v_Data"] == nil)
        },
        Row("6.4 empty data is data") {
            add(genp([kSecValueData: Data()]))
            #expect(copying(genp([kSecReturnData: true])).data == Data())
            let all = copying(genp([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(all.object as? [Data] == [Data()])
            #expect(copying(genp([kSecReturnData: true, kSecReturnAttributes: true])).dictionary?["v_Data"] is Data)
        },
        Row("6.4 D with limit all is allowed for passwords") {
            add(password("a"))
            add(password("b"))
            let answer = copying(genp([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(answer.object as? [Data] == [bytes("a"), bytes("b")])
        },
    ]
}
