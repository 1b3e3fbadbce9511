// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// Items that need a person in every state: with the PIN, where nobody can be asked, where asking is to fail or to skip.
///
/// In turn, because what reached the token is counted.
@Suite(.serialized, .lendsTokens) struct PresenceStateTests {
    @Test(arguments: Mode.allCases, PresenceCell.all)
    func `Every cell of the table of items that need a person holds`(mode: Mode, cell: PresenceCell) throws {
        try cell.check(mode)
    }

    @Test(arguments: Mode.allCases, ["ak", "akpu"])
    func `Nobody is asked for a PIN where the class is locked`(mode: Mode, code: String) throws {
        let keychain = try mode.makeKeychain(presence: true)
        let person = Somebody(try keychain.pin(wrong: false))
        try Sandbox.run(mode, on: keychain) {
            try PersonAtTheTerminal.$scoped.withValue(person) {
                let guarded = rules(code as CFString, .userPresence) as Any
                #expect(add(password("bob", [kSecAttrAccessControl: guarded])) == errSecSuccess)
                try keychain.lock()
                #expect(find(genp()) == errSecInteractionNotAllowed)
                #expect(update(genp(), [kSecAttrLabel: "l"]) == errSecInteractionNotAllowed)
                #expect(update(genp(), [kSecValueData: bytes("v")]) == errSecInteractionNotAllowed)
                #expect(add(password("bob", [kSecAttrAccessible: "ck"])) == errSecInteractionNotAllowed)
                #expect(person.reasons.isEmpty)
                try keychain.unlock()
                #expect(value(genp()) == "bob")
                #expect(person.reasons.count == 1)
            }
        }
    }
}
