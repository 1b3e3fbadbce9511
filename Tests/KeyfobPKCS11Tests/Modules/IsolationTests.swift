// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Modules in processes of their own, in a program that isolates them.
@Suite(.lendsTokens) struct IsolationTests {
    /// The program, with a token behind the mock module.
    private struct Lab {
        let token: SoftHSMToken
        let program: LiveProgram
        let uri: String

        init(_ environment: [String: String] = [:]) throws {
            token = try SoftHSMToken.make()
            uri = try token.mockURI()
            program = try LiveProgram(
                path: ProgramKeychain.program(), ["isolate"],
                environment: environment.merging([
                    "SOFTHSM2_CONF": SoftHSM.shared.folder + "/softhsm2.conf", "HOME": "/nonexistent",
                ]) { $1 })
        }

        /// The program's answer to a command.
        func ask(_ words: String...) -> String? {
            program.send(Array((words.joined(separator: " ") + "\n").utf8))
            return program.line()
        }

        /// Finds the token and logs in.
        func login(as name: String = "a", parameters: String? = nil) throws {
            try #require(find(as: name, parameters: parameters) == "ok \(token.label) true")
            try #require(ask("login", name, digits()) == "ok true")
        }

        func find(as name: String = "a", parameters: String? = nil) -> String? {
            parameters.map { ask("find", name, uri, $0) } ?? ask("find", name, uri)
        }

        func digits() throws -> String {
            let pin = try token.pin()
            return unsafe pin.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }

        /// The processes of modules.
        func hosts() throws -> [Int32] {
            let tasks = "/proc/\(program.pid)/task"
            return try FileManager.default.contentsOfDirectory(atPath: tasks).flatMap { task in
                try String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
                    .split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
            }
        }
    }

    /// The files that a process has mapped.
    ///
    /// By cat: read with Foundation some lines were missing.
    private func mappings(_ process: Int32) throws -> String {
        try SpawnedProgram(path: "/bin/cat").run(["/proc/\(process)/maps"]).outputText
    }

    /// Whether a process has ended; whoever has to may still have to hear of it.
    private func isGone(_ process: Int32) -> Bool {
        guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return state.contains(") Z ")
    }

    @Test func `A token in a process of its own is found, logged in to and computes`() throws {
        let lab = try Lab()
        try lab.login()
        #expect(lab.ask("key", "a") == "ok made")
        #expect(lab.ask("sign", "a") == "ok 32")
    }

    @Test func `The module's process runs the host program and has inherited nothing`() throws {
        let lab = try Lab()
        try lab.login()
        let host = try #require(try lab.hosts().first)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(host)/exe").hasSuffix(
                "/keyfob-module-host"))
        let maps = try mappings(host)
        #expect(maps.contains("CKeyfobMockModule"))
        let own = try mappings(lab.program.pid)
        #expect(!own.contains("CKeyfobMockModule") && !own.contains("softhsm"))
        let sockets = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host)/fd").filter { number in
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(host)/fd/\(number)").hasPrefix("socket:")
        }
        #expect(sockets.sorted() == ["0", "1"])
        let status = try String(contentsOfFile: "/proc/\(host)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
        let command = try String(contentsOfFile: "/proc/\(host)/cmdline", encoding: .utf8)
        #expect(!command.contains("Mock"))
    }

    @Test func `A module that crashes in a call leaves the program alive, with a device error`() throws {
        let lab = try Lab()
        try lab.login(parameters: "mock:kill=C_Sign:2")
        #expect(lab.ask("key", "a") == "ok made")
        #expect(lab.ask("sign", "a") == "ok 32")
        #expect(lab.ask("sign", "a")?.contains("CKR_DEVICE_ERROR") == true)
        #expect(lab.ask("sign", "a")?.hasPrefix("error") == true)
        #expect(lab.ask("state", "a") == "ok false")
    }

    @Test func `A new start after a crash makes another process, which is logged out and works`() throws {
        let lab = try Lab()
        try lab.login(parameters: "mock:kill=C_Sign:2")
        let first = try lab.hosts()
        _ = lab.ask("key", "a")
        _ = lab.ask("sign", "a")
        #expect(lab.ask("sign", "a")?.hasPrefix("error") == true)
        #expect(lab.ask("restart", "a") == "ok true")
        #expect(try lab.hosts().count == 1 && lab.hosts() != first)
        #expect(lab.ask("again", "a") == "ok found")
        #expect(lab.ask("state", "a") == "ok false")
        #expect(try lab.ask("login", "a", lab.digits()) == "ok true")
        #expect(lab.ask("key", "a") == "ok made")
        #expect(lab.ask("sign", "a") == "ok 32")
    }

    @Test func `A process that is killed between two calls is noticed at the next one`() throws {
        let lab = try Lab()
        try lab.login()
        let host = try #require(try lab.hosts().first)
        kill(host, SIGKILL)
        #expect(lab.ask("key", "a")?.hasPrefix("error") == true)
        #expect(lab.ask("restart", "a") == "ok true")
        #expect(lab.ask("again", "a") == "ok found")
    }

    @Test func `Two tokens have two processes, and the crash of one leaves the other`() throws {
        let lab = try Lab()
        try lab.login(as: "a", parameters: "mock:kill=C_Sign:1")
        try lab.login(as: "b", parameters: "mock:other")
        #expect(try lab.hosts().count == 2)
        for name in ["a", "b"] { #expect(lab.ask("key", name) == "ok made") }
        #expect(lab.ask("sign", "a")?.hasPrefix("error") == true)
        #expect(lab.ask("sign", "b") == "ok 32")
    }

    @Test func `The module's process ends with the last use of the module`() throws {
        let lab = try Lab()
        try lab.login()
        #expect(lab.ask("drop", "a") == "ok dropped")
        #expect(try lab.hosts().isEmpty)
        try lab.login()
        #expect(try lab.hosts().count == 1)
    }

    @Test func `The module's process ends when the program is killed`() throws {
        let lab = try Lab()
        try lab.login()
        let host = try #require(try lab.hosts().first)
        lab.program.endByForce()
        #expect(eventually { isGone(host) })
    }

    @Test func `The module's process ends with the program also while the module hangs`() throws {
        let script = MockScriptFile(SoftHSM.shared.folder + "/script-\(UInt64.random(in: 0 ... .max))")
        let lab = try Lab(script.environment)
        try lab.login()
        #expect(lab.ask("key", "a") == "ok made")
        let host = try #require(try lab.hosts().first)
        try script.write(.hang(.sign), script.logs)
        lab.program.send(Array("sign a\n".utf8))
        #expect(eventually { script.calls(of: "C_Sign") == 1 })
        lab.program.endByForce()
        #expect(eventually { isGone(host) })
    }

    @Test func `A module that cannot be loaded in its process is an error that names it`() throws {
        let lab = try Lab()
        let answer = lab.ask("find", "a", "pkcs11:token=x?module-path=/nonexistent.so")
        #expect(answer?.contains("moduleNotLoadable(path: \"/nonexistent.so\"") == true)
        // The connection is free again.
        try lab.login()
    }

    @Test func `Parameters that the module refuses in its process are an error that names it`() throws {
        let lab = try Lab()
        let answer = lab.find(parameters: "other")
        #expect(answer?.contains("isolatedModuleFailed") == true)
        #expect(answer?.contains("CKR_ARGUMENTS_BAD") == true)
    }

    @Test func `More modules than there are connections are refused`() throws {
        let lab = try Lab()
        for number in 0..<8 { #expect(lab.find(as: "t\(number)")?.hasPrefix("ok") == true) }
        #expect(lab.find(as: "t8")?.contains("isolationUnavailable") == true)
        _ = lab.ask("drop", "t3")
        #expect(lab.find(as: "t8")?.hasPrefix("ok") == true)
    }

    @Test func `A registered module beside an isolated one is refused with the reason`() throws {
        let lab = try Lab()
        _ = lab.find()
        let answer = lab.ask("find-here", "b", "pkcs11:token=x?module-name=softhsm2")
        #expect(answer?.contains("isolationUnavailable") == true)
    }

    @Test func `A registered module is isolated by its name`() throws {
        let lab = try Lab()
        #expect(
            lab.ask("find", "a", "pkcs11:token=\(lab.token.label.replacing(" ", with: "%20"))?module-name=softhsm2")
                == "ok \(lab.token.label) true")
    }
}
