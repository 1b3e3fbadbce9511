// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// A keychain that a program has open, and that nobody uses.
@Suite struct EmbeddedIdleTests {
    private func run(_ words: String..., in keychain: ProgramKeychain? = nil) throws -> [String] {
        let keychain = try keychain ?? ProgramKeychain()
        return try keychain.run(["idle"] + words, environment: ["KEYFOB_EMBEDDED": "0"])
    }

    @Test func `It is locked after the time, again after an unlock, and nobody looks once it is closed`() throws {
        #expect(try run("1") == ["1", "locked", "locked", "0"])
    }

    @Test func `It goes by the configuration if it is told to`() throws {
        let keychain = try ProgramKeychain()
        let path = keychain.home + "/config.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changed = text.replacingOccurrences(of: "{\n", with: "{\n  \"idle\": \"1s\",\n")
        #expect(changed != text)
        try changed.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try run("configured", in: keychain) == ["1", "locked", "locked", "0"])
        #expect(try run(in: keychain) == ["0", "unlocked", "0"])
    }

    @Test(arguments: ["0", "-1", "604801"])
    func `A time out of bounds is refused before anything is opened`(seconds: String) throws {
        #expect(try run(seconds) == ["-50"])
    }
}
