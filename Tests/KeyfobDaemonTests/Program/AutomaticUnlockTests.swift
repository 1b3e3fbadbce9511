// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobDaemon
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct AutomaticUnlockTests {
    /// A keychain, and a folder of credentials for its daemon.
    private final class Start {
        let keychain: TestKeychain
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"

        init() throws {
            keychain = try TestKeychain()
            try keychain.reopen()
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }

        deinit {
            // A folder that cannot be removed is no fault of what was tested.
            try? FileManager.default.removeItem(atPath: folder)
        }

        func put(_ pin: borrowing SecretBytes, as name: String = "token-pin") {
            let bytes = unsafe pin.withUnsafeBytes { unsafe Data($0) }
            let isMade = FileManager.default.createFile(
                atPath: "\(folder)/\(name)", contents: bytes, attributes: [.posixPermissions: 0o400])
            #expect(isMade)
        }

        func run(explicit: PINSource? = nil) -> AutomaticUnlock.Outcome {
            let folder = folder
            return AutomaticUnlock.run(keychain.engine, explicit: explicit) {
                $0 == "CREDENTIALS_DIRECTORY" ? folder : nil
            }
        }

        var logins: Int { keychain.engine.tokenCalls["C_Login"] ?? 0 }
    }

    @Test func `The right PIN in the credential unlocks the keychain with one login`() throws {
        let start = try Start()
        start.put(try start.keychain.token.pin())
        #expect(start.run() == .unlocked)
        #expect(start.keychain.engine.lockState == .unlocked)
        #expect(start.logins == 1)
    }

    @Test func `A wrong PIN reaches the token once and leaves the keychain before first unlock`() throws {
        let start = try Start()
        start.put(try start.keychain.token.wrongPIN())
        guard case .failed(let error) = start.run() else {
            Issue.record("it unlocked")
            return
        }
        #expect(error.code == .pinIncorrect)
        #expect(start.keychain.engine.lockState == .beforeFirstUnlock)
        #expect(start.logins == 1)
    }

    @Test func `After a refused PIN a restart does not try again`() throws {
        let start = try Start()
        start.put(try start.keychain.token.wrongPIN())
        _ = start.run()
        try start.keychain.reopen()
        #expect(start.run() == .fewTries(.few))
        #expect(start.logins == 0)
    }

    @Test func `Without a source the token is not asked`() throws {
        let start = try Start()
        #expect(start.run() == .noSource)
        #expect(start.logins == 0)
    }

    @Test func `The source of the command line wins over the credential`() throws {
        let start = try Start()
        start.put(try start.keychain.token.wrongPIN())
        start.put(try start.keychain.token.pin(), as: "right")
        #expect(start.run(explicit: .file(path: start.folder + "/right")) == .unlocked)
    }

    @Test func `A source that fails does not lead to the next one`() throws {
        let start = try Start()
        start.put(try start.keychain.token.pin())
        guard case .failed = start.run(explicit: .file(path: start.folder + "/absent")) else {
            Issue.record("it unlocked")
            return
        }
        #expect(start.logins == 0)
    }

    @Test func `A source that asks a person is left alone`() throws {
        let start = try Start()
        #expect(start.run(explicit: .terminal) == .asksSomebody)
        #expect(start.logins == 0)
    }

    @Test func `What is said about a refusal does not hold the PIN`() throws {
        let start = try Start()
        let wrong = try start.keychain.token.wrongPIN()
        start.put(wrong)
        let text = unsafe wrong.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        let words = start.run().words
        #expect(words.hasPrefix("locked: "))
        #expect(!words.contains(text))
    }
}
