// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// A program with the engine whose PIN file holds another PIN than the token has.
@Suite struct WrongPINTests {
    private func keychain() throws -> ProgramKeychain {
        let keychain = try ProgramKeychain()
        let wrong = keychain.pin.map { $0 == 0x39 ? 0x30 : $0 + 1 }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: keychain.pinFile))
        try file.write(contentsOf: wrong)
        try file.close()
        return keychain
    }

    @Test func `Opening it throws with the status of a wrong PIN`() throws {
        let lines = try keychain().run(["open"], environment: ["KEYFOB_EMBEDDED": "0"])
        #expect(lines == ["-25293"])
    }

    @Test func `By the environment alone every call answers not available and the error output says why`() throws {
        let keychain = try keychain()
        let program = try keychain.start(["load", "mail", "ann"])
        #expect(program.lines() == ["-25291"])
        program.wait()
        #expect(program.errorText.contains("PIN"), "\(program.errorText) \(keychain.home)")
    }

    @Test func `With the right PIN the same program opens, so that the tests above can fail`() throws {
        let lines = try ProgramKeychain().run(["open"], environment: ["KEYFOB_EMBEDDED": "0"])
        #expect(lines == ["0"])
    }
}
