// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

struct ItemClassTests {
    /// What stores, references and frames carry must never change.
    @Test(arguments: [
        (ItemClass.genericPassword, UInt8(1), "genp"), (.internetPassword, 2, "inet"), (.certificate, 3, "cert"),
        (.key, 4, "keys"), (.identity, 5, "idnt"),
    ])
    func `A class keeps its number and its code`(itemClass: ItemClass, number: UInt8, code: String) {
        #expect(itemClass.rawValue == number)
        #expect(itemClass.code == code)
        #expect(ItemClass(code: code) == itemClass)
    }

    @Test(arguments: ["", "apls", "GENP", "genp "])
    func `Another code is no class`(code: String) {
        #expect(ItemClass(code: code) == nil)
    }

    @Test func `Access groups differ by case and by normalisation`() {
        #expect(AccessGroup("ACME.a") != AccessGroup("ACME.A"))
        #expect(AccessGroup("\u{e9}") != AccessGroup("e\u{301}"))
        #expect(AccessGroup("ACME.a").name == "ACME.a")
    }
}
