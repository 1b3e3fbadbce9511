// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// Calls around the moment in which a token goes.
@Suite(.lendsTokens) struct TokenLossTests {
    /// Items of every class on a token that is pulled, which nobody has noticed yet.
    private func withPulledToken(_ mode: Mode, _ body: (any KeychainUnderTest, MockToken) throws -> Void) throws {
        let mock = try MockToken()
        let keychain = try mode.makeKeychain(on: mock)
        try Sandbox.run(mode, on: keychain) {
            for code in StateTable.codes { #expect(add(password(code, [kSecAttrAccessible: code])) == errSecSuccess) }
            mock.script(.remove())
            try body(keychain, mock)
        }
    }

    @Test(arguments: Mode.allCases, StateTable.codes)
    func `The first call that needs the token finds it gone, and then attributes are out of reach too`(
        mode: Mode, code: String
    ) throws {
        try withPulledToken(mode) { _, _ in
            let item = genp([kSecAttrAccount: code])
            #expect(copying(item.merging([kSecReturnData: true]) { $1 }).status == errSecNotAvailable)
            #expect(copying(item.merging([kSecReturnAttributes: true]) { $1 }).status == errSecNotAvailable)
            #expect(find(item) == errSecNotAvailable)
        }
    }

    @Test(arguments: Mode.allCases)
    func `An add to a token that was pulled stores nothing`(mode: Mode) throws {
        try withPulledToken(mode) { keychain, mock in
            #expect(add(password("new", [kSecAttrAccessible: "dk"])) == errSecNotAvailable)
            mock.script(.insert)
            try keychain.waitForToken()
            #expect(find(genp([kSecAttrAccount: "new"])) == errSecItemNotFound)
        }
    }

    @Test(arguments: Mode.allCases, [true, false])
    func `Everything can be deleted without the token, noticed or not, and stays deleted`(
        mode: Mode, isNoticed: Bool
    ) throws {
        try withPulledToken(mode) { keychain, mock in
            if isNoticed { try keychain.waitForToken(false) }
            #expect(delete(genp()) == errSecSuccess)
            #expect(find(genp()) == errSecItemNotFound)
            #expect(delete(genp()) == errSecItemNotFound)
            mock.script(.insert)
            try keychain.waitForToken()
            try keychain.unlock()
            #expect(find(genp()) == errSecItemNotFound)
        }
    }

    @Test(arguments: Mode.allCases)
    func `What was not deleted is whole when the token is back and unlocked`(mode: Mode) throws {
        try withPulledToken(mode) { keychain, mock in
            #expect(delete(genp([kSecAttrAccount: "ck"])) == errSecSuccess)
            for code in StateTable.codes where code != "ck" {
                let changes: Query = [kSecValueData: bytes("changed")]
                #expect(update(genp([kSecAttrAccount: code]), changes) == errSecNotAvailable)
            }
            mock.script(.insert)
            try keychain.waitForToken()
            try keychain.unlock()
            for code in StateTable.codes where code != "ck" {
                #expect(value(genp([kSecAttrAccount: code])) == code)
            }
        }
    }

    @Test(arguments: Mode.allCases)
    func `A keychain does not open without its token, and everything is there when it does`(mode: Mode) throws {
        try withPulledToken(mode) { keychain, mock in
            #expect(throws: (any Error).self) { try keychain.restart() }
            mock.script(.insert)
            try keychain.restart()
            try keychain.unlock()
            try asProgram(Program(applicationIdentifier: ownGroup)) {
                for code in StateTable.codes { #expect(value(genp([kSecAttrAccount: code])) == code) }
            }
        }
    }
}
