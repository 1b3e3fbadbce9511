// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobMemory
import KeyfobTestSupport
import Testing

@testable import KeyfobPKCS11

@Suite(.lendsTokens) struct PINNormalFormTests {
    /// What a PIN becomes on its way to a token.
    private func form(_ pin: [UInt8]) throws -> [UInt8] {
        let module = try Module.load(path: SoftHSM.shared.modulePath)
        let given = try SecretBytes(copying: pin)
        return try PINNormalForm.with(given, on: module.line) { (pin) throws(PKCS11Error) in
            pin.withBytes { $0.array }
        }
    }

    private func form(_ text: String) throws -> [UInt8] { try form(Array(text.utf8)) }

    @Test(arguments: ["1234", "", "a long PIN in ASCII ~ with everything", "é", "日本語", "\u{212}34", "кириллица"])
    func `A PIN in normal form C goes as it is`(pin: String) throws {
        #expect(try form(pin) == Array(pin.utf8))
    }

    @Test(arguments: [
        ("e\u{301}", "\u{E9}"), ("x12e\u{301}34", "x12\u{E9}34"), ("\u{212B}", "\u{C5}"),
        ("a\u{323}\u{302}", "\u{1EAD}"), ("a\u{302}\u{323}", "\u{1EAD}"), ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
        ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{1D15E}", "\u{1D157}\u{1D165}"),
        ("ab\u{308}c\u{308}d", "ab\u{308}c\u{308}d"), ("o\u{308}u\u{308}A\u{30A}", "\u{F6}\u{FC}\u{C5}"),
    ])
    func `A PIN in another form is composed`(pin: String, composed: String) throws {
        #expect(try form(pin) == Array(composed.unicodeScalars.map { Array(String($0).utf8) }.joined()))
    }

    @Test func `A random text and its decomposed form are one PIN`() throws {
        var random = SeededRandom.fresh()
        for _ in 0..<200 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                let scalars: [Unicode.Scalar] = [
                    "A", "e", "\u{E9}", "\u{1EAD}", "\u{D55C}", "\u{301}", "\u{323}", "\u{3B1}", "\u{212B}",
                    "\u{1F600}",
                ]
                if let scalar = scalars.randomElement(using: &random) { text.unicodeScalars.append(scalar) }
            }
            let composed = try form(text)
            #expect(try form(text.decomposedStringWithCanonicalMapping) == composed)
            #expect(composed == Array(text.precomposedStringWithCanonicalMapping.utf8))
        }
    }

    @Test(arguments: [[0xFF, 0xFE, 0x31, 0x32], [0x65, 0xCC], [0xC0, 0x80, 0x31], [0xED, 0xA0, 0x80]])
    func `Bytes that are no UTF-8 go as they are`(pin: [UInt8]) throws {
        #expect(try form(pin) == pin)
    }

    @Test(arguments: [[0], [0x31, 0x32, 0, 0x34], [0xFF, 0], [0x65, 0xCC, 0x81, 0]])
    func `A PIN with a NUL inside is refused`(pin: [UInt8]) throws {
        let error = #expect(throws: PKCS11Error.self) { try form(pin) }
        #expect(error?.fault == .pinNotTried(.zeroByte))
    }

    @Test func `Every way to a token composes the PIN`() throws {
        let (apart, together) = (Array("ge\u{301}heim".utf8), Array("g\u{E9}heim".utf8))
        let (soApart, soTogether) = (Array("Cafe\u{301}-SO".utf8), Array("Caf\u{E9}-SO".utf8))
        let token = try SoftHSM.shared.withEmptySlot { slot in
            try SoftHSM.shared.module.initializeToken(
                in: slot, label: "nfc \(UInt64.random(in: 0 ... .max))", soPIN: SecretBytes(copying: soApart))
        }
        try token.initializePIN(SecretBytes(copying: apart), soPIN: SecretBytes(copying: soTogether))
        try token.login(SecretBytes(copying: together))
        try token.logout()
        try token.login(SecretBytes(copying: apart))
        try token.changePIN(
            from: SecretBytes(copying: apart), to: SecretBytes(copying: Array("nu\u{308}ll".utf8)))
        try token.logout()
        try token.login(SecretBytes(copying: Array("n\u{FC}ll".utf8)))
        try token.initializePIN(SecretBytes(copying: together), soPIN: SecretBytes(copying: soApart))
        try token.login(SecretBytes(copying: apart))
    }

    @Test func `A PIN with a NUL never reaches the token`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let pin = try SecretBytes(copying: [0x31, 0x32, 0x33, 0x34, 0, 0x35])
        #expect(throws: PKCS11Error.self) { try token.login(pin) }
        #expect(throws: PKCS11Error.self) { try token.changePIN(from: made.pin(), to: pin) }
        #expect(throws: PKCS11Error.self) { try token.changePIN(from: pin, to: made.pin()) }
        #expect(throws: PKCS11Error.self) { try token.initializePIN(pin, soPIN: made.soPIN()) }
        #expect(throws: PKCS11Error.self) { try token.initializePIN(made.pin(), soPIN: pin) }
        #expect(token.calls.calls(of: .login) == 0)
        #expect(token.calls.calls(of: .setPIN) == 0)
    }
}
