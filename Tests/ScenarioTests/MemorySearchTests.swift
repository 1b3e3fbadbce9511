// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// That nothing of a secret is left: the memory of a process that worked with it, and every file of the keychain, are
/// searched for its bytes.
///
/// The secrets are random and reach the program scrambled, so that no argument, environment,
/// literal or buffer of the pipe holds them.
@Suite struct MemorySearchTests {
    private struct Secret {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        /// Printable, so that it is text too.
        init(_ name: String, count: Int) {
            self.init(name, (0..<count).map { _ in UInt8.random(in: 0x21...0x7E) })
        }

        var pieces: SecretPieces { SecretPieces(name, bytes) }

        /// As `Answer.secret` of the program reads it.
        var scrambled: [UInt8] {
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes.map { $0 ^ 0xA5 }
        }
    }

    private func expectNothing(of secrets: [Secret], in program: LiveProgram, _ step: String) throws {
        #expect(program.line() == step, "\(program.errorText)")
        let memory = ProcessMemory(program.pid)
        #expect(try memory.size() > 1 << 20)
        for finding in try memory.search(secrets.map(\.pieces)).prefix(4) { Issue.record("\(step): \(finding)") }
    }

    @Test func `After its work the engine's process holds no value, PIN, account, service or label`() throws {
        let keychain = try ProgramKeychain()
        let secrets =
            [Secret("PIN", keychain.pin)]
            + ["service", "account", "label"].map { Secret($0, count: 48) }
            + ["value", "new value"].map { Secret($0, count: 200) }
        let program = try keychain.start(["memory-engine"])
        for secret in secrets { program.send(secret.scrambled) }
        #expect(program.line() == "held")
        // The search is able to find: what the program holds now is there.
        let held = Set(
            try ProcessMemory(program.pid).search(secrets.map(\.pieces)).map { $0.name.prefix { $0 != "[" } })
        #expect(held == Set(secrets.map { $0.name[...] }))
        for step in ["released", "locked", "closed"] {
            program.proceed()
            try expectNothing(of: secrets, in: program, step)
        }
        let (files, findings) = try keychain.searchFiles(secrets.map(\.pieces))
        #expect(files > 8)
        #expect(findings == [])
    }

    @Test func `The files of an unlocked keychain with its write-ahead log hold none of them either`() throws {
        let keychain = try ProgramKeychain()
        let secrets =
            [Secret("PIN", keychain.pin)]
            + ["service", "account", "label"].map { Secret($0, count: 48) }
            + ["value", "new value"].map { Secret($0, count: 200) }
        let program = try keychain.start(["memory-engine"])
        for secret in secrets { program.send(secret.scrambled) }
        #expect(program.line() == "held")
        program.proceed()
        #expect(program.line() == "released")
        #expect(FileManager.default.fileExists(atPath: keychain.home + "/keychain.db-wal"))
        #expect(FileManager.default.fileExists(atPath: keychain.home + "/keychain.db-shm"))
        let (_, findings) = try keychain.searchFiles(secrets.map(\.pieces))
        #expect(findings == [])
    }

    @Test func `After an embedded keychain was opened, used and closed, its process does not hold the PIN`() throws {
        let keychain = try ProgramKeychain()
        let secrets = [Secret("PIN", keychain.pin)]
        let program = try keychain.start(["memory-api"], environment: ["KEYFOB_EMBEDDED": "0"])
        try expectNothing(of: secrets, in: program, "released")
        for step in ["locked", "closed"] {
            program.proceed()
            try expectNothing(of: secrets, in: program, step)
        }
    }
}
