// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// Section 10 but for its state machine, which `StateTableTests` has: what is legal, and what the life of the PIN does.
@Suite(.lendsTokens) struct StateTests {
    @Test(arguments: Mode.allCases, legalityRows)
    func `Every combination of section 10 is legal or not as it says`(mode: Mode, row: Row) throws {
        try row.run(mode)
    }

    @Test(arguments: Mode.allCases, accessibilities)
    func `Every class is kept when the PIN changes`(mode: Mode, code: String) throws {
        let keychain = try mode.makeKeychain()
        try Sandbox.run(mode, on: keychain) {
            add(password("a", [kSecAttrAccessible: code]))
            try keychain.changePIN()
            try keychain.lock()
            try keychain.unlock()
            #expect(value(genp()) == "a")
            #expect(add(password("b", [kSecAttrAccessible: code])) == errSecSuccess)
        }
    }

    @Test(arguments: Mode.allCases)
    func `A passcode that is removed takes the items of its class along and no others`(mode: Mode) throws {
        let keychain = try mode.makeKeychain()
        try Sandbox.run(mode, on: keychain) {
            for code in Self.accessibilities {
                #expect(add(password(code, [kSecAttrAccessible: code])) == errSecSuccess)
            }
            try keychain.removePasscode()
            let query = { (code: String) in genp([kSecAttrAccessible: code]) }
            #expect(find(query("akpu")) == errSecItemNotFound)
            #expect(find(query("ck")) == errSecSuccess)
            #expect(find(query("ak")) == errSecInteractionNotAllowed)
            try keychain.unlock()
            for code in Self.accessibilities where code != "akpu" { #expect(find(query(code)) == errSecSuccess) }
            #expect(find(query("akpu")) == errSecItemNotFound)
            #expect(add(password("akpu", [kSecAttrAccessible: "akpu"])) == errSecSuccess)
            #expect(value(query("akpu")) == "akpu")
        }
    }

    private static let accessibilities = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

    private static let legalityRows: [Row] =
        accessibilities.map { code in
            let isSynchronizable = ["ak", "ck", "dk"].contains(code)
            return Row("10 sync true with \(code)", gives: isSynchronizable ? errSecSuccess : errSecParam) {
                add(password("a", [kSecAttrAccessible: code, kSecAttrSynchronizable: true]))
            }
        }
        + accessibilities.map { code in
            Row("10 \(code) is read back and written while unlocked") {
                #expect(add(password("a", [kSecAttrAccessible: code])) == errSecSuccess)
                #expect(value(genp()) == "a")
                #expect(attributes(genp())["pdmn"] as? String == code)
                #expect(update(genp(), [kSecValueData: bytes("new")]) == errSecSuccess)
                #expect(value(genp()) == "new")
            }
        }
}
