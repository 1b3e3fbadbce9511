// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite(.lendsTokens) struct ItemClassTests {
    @Test(arguments: Mode.allCases, rows + unknownClassRows + laterRows)
    func `Every row of section 3.2 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    private static let rows: [Row] = [
        Row("3.2 copy without class and reference", gives: errSecParam) { find([kSecAttrAccount: "bob"]) },
        Row("3.2 copy of an empty dictionary", gives: errSecParam) { find([:]) },
        Row("3.2 add without class", gives: errSecParam) { add([kSecAttrAccount: "bob", kSecValueData: Data([1])]) },
        Row("3.2 add of an empty dictionary", gives: errSecParam) { add([:]) },
        Row("3.2 update without class", gives: errSecParam) { update([kSecAttrAccount: "bob"], [kSecAttrLabel: "l"]) },
        Row("3.2 delete without class", gives: errSecParam) { delete([kSecAttrAccount: "bob"]) },
        Row("3.2 delete of an empty dictionary", gives: errSecParam) { delete([:]) },
        Row("3.2 a class that is a number", gives: errSecParam) { find([kSecClass: 5]) },
        Row("3.2 a class that is data", gives: errSecParam) { find([kSecClass: bytes("genp")]) },
        Row("3.2 a class that is a boolean", gives: errSecParam) { find([kSecClass: true]) },
        Row("3.2 the class as a literal", gives: errSecSuccess) {
            add(password())
            return find(["class": "genp"])
        },
        Row("3.2 internet password as a literal", gives: errSecSuccess) {
            add(inet())
            return find(["class": "inet"])
        },
        Row("3.2 the two classes do not see each other's items", gives: errSecItemNotFound) {
            add(password())
            return find(inet())
        },
        Row("3.2 a class other than that of the reference", gives: errSecNoSuchClass) {
            add(password())
            return find(inet([kSecValuePersistentRef: reference(genp()) ?? Data()]))
        },
        Row("3.2 delete: a class other than that of the reference", gives: errSecNoSuchClass) {
            add(password())
            return delete(inet([kSecValuePersistentRef: reference(genp()) ?? Data()]))
        },
        Row("3.2 a reference needs no class", gives: errSecSuccess) {
            add(password())
            return find(referred(reference(genp())))
        },
    ]

    private static let unknownClassRows: [Row] = ["apls", "GENP", "genp ", "xxxx", "", "kSecClassGenericPassword"]
        .flatMap { code in
            [
                Row("3.2 copy of class “\(code)”", gives: errSecNoSuchClass) { find([kSecClass: code]) },
                Row("3.2 add of class “\(code)”", gives: errSecNoSuchClass) { add([kSecClass: code]) },
                Row("3.2 delete of class “\(code)”", gives: errSecNoSuchClass) { delete([kSecClass: code]) },
                Row("3.2 update of class “\(code)”", gives: errSecNoSuchClass) {
                    update([kSecClass: code], [kSecAttrLabel: "l"])
                },
            ]
        }

    /// Known classes that this version keeps no items of say so, and do not pretend that nothing was found.
    private static let laterRows: [Row] = [kSecClassKey, kSecClassCertificate, kSecClassIdentity].map { itemClass in
        let code = itemClass as String
        return Row("3.2 class \(code) is known and not implemented", gives: errSecUnimplemented) {
            find([kSecClass: code])
        }
    }
}
