// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct AttributeTests {
    @Test(arguments: Mode.allCases, PasswordAttribute.all.flatMap(rows))
    func `Every attribute of section 4 1 is stored, searched and counted in the key as its table says`(
        mode: Mode, row: Row
    ) throws {
        try row.run(mode)
    }

    @Test(arguments: Mode.allCases, foreignRows)
    func `An attribute of another class is none of this`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static func rows(_ attribute: PasswordAttribute) -> [Row] {
        let code = attribute.code
        let distinct = attribute.isKey ? errSecSuccess : errSecDuplicateItem
        return [
            Row("4.1 \(attribute) \(attribute.isKey ? "makes another item" : "makes no other item")", gives: distinct) {
                add(attribute.item(attribute.values.0))
                return add(attribute.item(attribute.values.1))
            },
            Row("4.1 \(attribute) is searched by equality") {
                add(attribute.item(attribute.values.0))
                #expect(find(attribute.item(attribute.values.0)) == errSecSuccess)
                #expect(find(attribute.item(attribute.values.1)) == errSecItemNotFound)
            },
            Row("4.1 \(attribute) is changed by an update, and then found by the new value only") {
                add(attribute.item(attribute.values.0))
                #expect(update(attribute.items(), [attribute.key: attribute.values.1]) == errSecSuccess)
                #expect(find(attribute.item(attribute.values.1)) == errSecSuccess)
                #expect(find(attribute.item(attribute.values.0)) == errSecItemNotFound)
                let found = attributes(attribute.items())[code] as AnyObject
                #expect(CFEqual(found, attribute.values.1 as AnyObject))
            },
            Row("4.1 \(attribute) selects what is deleted") {
                add(attribute.item(attribute.values.0))
                #expect(delete(attribute.item(attribute.values.1)) == errSecItemNotFound)
                #expect(delete(attribute.item(attribute.values.0)) == errSecSuccess)
                #expect(find(attribute.items()) == errSecItemNotFound)
            },
            Row("4.1 \(attribute) selects what is updated") {
                add(attribute.item(attribute.values.0))
                #expect(update(attribute.item(attribute.values.1), [kSecAttrComment: "c"]) == errSecItemNotFound)
                #expect(update(attribute.item(attribute.values.0), [kSecValueData: bytes("new")]) == errSecSuccess)
                #expect(value(attribute.items()) == "new")
            },
        ]
    }

    private static let foreignRows: [Row] = [
        ("genp", ["srvr", "sdmn", "atyp", "path", "ptcl", "port"]), ("inet", ["svce", "gena"]),
        ("genp", keyCodes), ("inet", keyCodes),
    ].flatMap { itemClass, codes in
        codes.map { code in
            Row("4.1 \(code) is no attribute of \(itemClass)") {
                let query: Query = [kSecClass: itemClass, NSString(string: code): "x"]
                #expect(add(query) == errSecNoSuchAttr)
                #expect(find(query) == errSecNoSuchAttr)
                #expect(delete(query) == errSecNoSuchAttr)
                add([kSecClass: itemClass])
                #expect(update([kSecClass: itemClass], [NSString(string: code): "x"]) == errSecNoSuchAttr)
            }
        }
    }

    private static let keyCodes = ["kcls", "klbl", "atag", "bsiz", "perm", "subj", "issr", "slnr", "pkhh", "ctyp"]
}
