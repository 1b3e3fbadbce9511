// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobClient
import KeyfobModel
import KeyfobTestSupport
import Testing

/// A daemon whose module runs in a process of its own, and dies there.
@Suite struct DaemonIsolationTests {
    /// A keychain that `keyfob init --isolate` made on SoftHSM behind the mock module, and a daemon that serves it.
    private struct IsolatedLab {
        let lab: DaemonLab
        let pinFile: String
        private let environment: [String: String]

        init() throws {
            let keychain = try ProgramKeychain(makingKeychain: false)
            let folder = keychain.folder + "/softhsm"
            let made = try SpawnedProgram(
                path: LentToken.scripts + "/softhsm/make", environment: ProcessInfo.processInfo.environment
            ).run([folder])
            try #require(made.status == 0, "\(made.errorText)")
            var exports: [String: String] = [:]
            for match in made.outputText.matches(of: /export (\w+)=['"](.*)['"]/) {
                exports[String(match.1)] = String(match.2)
            }
            let uri = try #require(exports["KEYFOB_TOKEN_URI"]?.split(separator: "?").first)
            environment = exports.filter { $0.key == "SOFTHSM2_CONF" }
            pinFile = folder + "/pin"
            let mock = try DaemonPrograms.path("libCKeyfobMockModule.so")
            let initialized = try LiveProgram(
                path: DaemonPrograms.path("keyfob"),
                [
                    "init", "--home", keychain.home, "--pin-source", pinFile, "--isolate",
                    "--module-parameters", "mock:whole", "--token", "\(uri)?module-path=\(mock)",
                ], environment: environment.merging(["HOME": keychain.folder]) { $1 })
            try #require(initialized.wait() == 0, "\(initialized.errorText)")
            lab = try DaemonLab(keychain: keychain)
        }

        /// - Parameter kill: at which call the module kills its process: `FUNCTION:N`.
        func start(kill: String? = nil) throws {
            if let kill { try lab.editConfiguration { $0.replacing("mock:whole", with: "mock:kill=\(kill)") } }
            try lab.start(environment: environment)
            try unlock()
        }

        func unlock() throws {
            let unlocked = try lab.keyfob(["unlock", "--pin-source", pinFile], as: lab.user)
            try #require(unlocked.status == 0, "\(unlocked)")
        }

        func state() throws -> LockState { try lab.client().status().lockState }

        /// The process of the module.
        func host() throws -> Int32? {
            let daemon = try #require(lab.daemon?.pid)
            let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon)/task")
            for task in tasks {
                let children = try String(contentsOfFile: "/proc/\(daemon)/task/\(task)/children", encoding: .utf8)
                if let child = children.split(separator: " ").first { return Int32(child) }
            }
            return nil
        }
    }

    @Test func `An isolated token seals by HMAC, and keeps what outlives a lock in its process`() throws {
        let isolated = try IsolatedLab()
        try isolated.start()
        let status = try isolated.lab.client().status()
        #expect(status.isModuleIsolated && status.keys.allSatisfy { $0.suite == .hmacKDF })
        for key in status.keys where key.id.accessibility.availability == .afterFirstUnlock {
            #expect(key.residence == .unwrappedSession)
        }
        let host = try #require(try isolated.host())
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(host)/exe")
        #expect(program.hasSuffix("/keyfob-module-host"))
    }

    @Test func `A module that dies in a request costs that request, and an unlock brings all items back`() throws {
        let isolated = try IsolatedLab()
        try isolated.start(kill: "C_Sign:40")
        let lab = isolated.lab
        let pid = try #require(lab.daemon?.pid)
        let program = try ConnectedProgram(lab, as: .shop)
        for number in 1...5 { #expect(program.ask("save", "mail", "ann\(number)", "pw\(number)") == ["0"]) }
        var answer = ["0", "pw1"]
        for _ in 1...100 where answer == ["0", "pw1"] { answer = program.ask("load", "mail", "ann1") }
        // errSecNotAvailable
        #expect(answer == ["-25291"])
        #expect(kill(pid, 0) == 0)
        #expect(try DaemonLab.waits { try isolated.state() == .beforeFirstUnlock })
        #expect(lab.logs("the token is back; it has to be unlocked again"))
        // errSecInteractionNotAllowed
        #expect(program.ask("load", "mail", "ann1") == ["-25308"])
        try isolated.unlock()
        for number in 1...5 { #expect(program.ask("load", "mail", "ann\(number)") == ["0", "pw\(number)"]) }
        #expect(lab.daemon?.pid == pid)
    }

    @Test func `The command is told what is wrong with the token whose module died`() throws {
        let isolated = try IsolatedLab()
        try isolated.start(kill: "C_Sign:40")
        #expect(try isolated.lab.run(["save", "mail", "ann", "pw"], as: .shop) == ["0"])
        var error = ""
        for _ in 1...100 where error.isEmpty {
            error = try isolated.lab.keyfob(["get", "mail", "--account", "ann"], as: .shop).error
        }
        #expect(error.contains("the token or its class key is not there") && error.contains("CKR_DEVICE_ERROR"))
    }

    @Test func `A module's process that is killed between requests is replaced`() throws {
        let isolated = try IsolatedLab()
        try isolated.start()
        let program = try ConnectedProgram(isolated.lab, as: .shop)
        #expect(program.ask("save", "mail", "ann", "pw") == ["0"])
        for _ in 1...3 {
            let host = try #require(try isolated.host())
            kill(host, SIGKILL)
            #expect(try DaemonLab.waits { try isolated.state() == .beforeFirstUnlock })
            try isolated.unlock()
            #expect(program.ask("load", "mail", "ann") == ["0", "pw"])
            #expect(try isolated.host() != host)
        }
    }
}
