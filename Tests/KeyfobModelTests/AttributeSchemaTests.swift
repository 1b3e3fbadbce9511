// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

/// The attribute tables of the two password classes, written down a second time in the order of Apple's documentation.
struct AttributeSchemaTests {
    private static let common = [
        "agrp text", "sync number", "pdmn text", "accc accessControl", "cdat date", "mdat date", "labl blob",
        "alis blob", "tkid text", "vwht text", "sha1 data", "tomb number", "musr data",
    ]
    private static let passwords = [
        "desc blob", "icmt blob", "prot blob", "crtr number", "type number", "scrp number", "invi number",
        "nega number", "cusi number",
    ]
    private static let tables: [(ItemClass, [String])] = [
        (.genericPassword, common + passwords + ["acct blob", "svce blob", "gena blob"]),
        (
            .internetPassword,
            common + passwords + [
                "acct blob", "sdmn blob", "srvr blob", "atyp blob", "path blob", "ptcl number", "port number",
            ]
        ),
    ]
    private static let keys: [(ItemClass, Set<String>)] = [
        (.genericPassword, ["acct", "svce"]),
        (.internetPassword, ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]),
    ]

    @Test(arguments: tables)
    func `A class has its attributes with their kinds and no others`(itemClass: ItemClass, table: [String]) {
        let schema = itemClass.schema.map { "\($0.name.code) \($0.kind)" }
        #expect(Set(schema) == Set(table))
        #expect(schema.count == table.count)
    }

    @Test(arguments: keys)
    func `A class has its primary key`(itemClass: ItemClass, key: Set<String>) {
        #expect(Set(itemClass.schema.filter(\.isKey).map(\.name.code)) == key)
    }

    @Test(arguments: keys)
    func `Key attributes that are left out are empty text or zero`(itemClass: ItemClass, key: Set<String>) {
        for attribute in itemClass.schema where attribute.isKey {
            let expected: AttributeValue = attribute.kind == .number ? .number(0) : .text("")
            #expect(attribute.defaultValue == expected, "\(attribute.name.code)")
        }
    }

    @Test(arguments: keys)
    func `Attributes outside the key have no default`(itemClass: ItemClass, key: Set<String>) {
        #expect(itemClass.schema.allSatisfy { $0.isKey || $0.defaultValue == nil })
    }

    @Test func `Generic and label are not part of the key of a generic password`() {
        #expect(ItemClass.genericPassword.schema(of: .generic)?.isKey == false)
        #expect(ItemClass.genericPassword.schema(of: .label)?.isKey == false)
    }

    @Test(arguments: [
        (ItemClass.genericPassword, AttributeName.server), (.internetPassword, .service),
        (.internetPassword, .generic), (.genericPassword, .protocol), (.genericPassword, .noLegacy),
    ])
    func `A class does not have the attributes of another`(itemClass: ItemClass, name: AttributeName) {
        #expect(itemClass.schema(of: name)?.name == nil)
    }

    @Test(arguments: [ItemClass.certificate, .key, .identity])
    func `Classes without rows have no attributes`(itemClass: ItemClass) {
        #expect(itemClass.schema.isEmpty)
    }
}
