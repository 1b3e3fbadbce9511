// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

/// A program of somebody's that reads an item which needs a person.
@Suite struct GuardedItemTests {
    private func keychain() throws -> ProgramKeychain {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["save-guarded", "bank", "ann", "s3cret"]) == ["0"])
        return keychain
    }

    private func load(_ keychain: ProgramKeychain, typing entry: String) throws -> String {
        let program = try SpawnedProgram(path: ProgramKeychain.program(), environment: keychain.environment)
        return try program.runOnTerminal(
            ["load", "bank", "ann"], answers: [("for one use of an item by keyfob-test-program", ""), ("PIN: ", entry)]
        ).outputText
    }

    @Test func `On a terminal it asks for the PIN, though a file has that of the login`() throws {
        let keychain = try keychain()
        let pin = String(decoding: keychain.pin, as: UTF8.self)
        let screen = try load(keychain, typing: pin + "\n")
        #expect(screen.hasSuffix("0\r\ns3cret\r\n"))
        #expect(!screen.contains(pin))
    }

    @Test func `A wrong entry is the status of it, and breaking off another`() throws {
        let keychain = try keychain()
        #expect(try load(keychain, typing: String(repeating: "7", count: 24) + "\n").contains("-25293\r\n"))
        #expect(try load(keychain, typing: "\n").contains("-128\r\n"))
    }

    @Test func `Without a terminal nobody is asked, whatever the configuration says of logins`() throws {
        let keychain = try keychain()
        let program = try keychain.start(["load", "bank", "ann"], launcher: ["/usr/bin/setsid", "--wait"])
        #expect(program.lines() == ["-25308"])
        program.wait()
    }
}
