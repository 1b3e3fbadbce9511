// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// That a crash shows no memory, and that nobody may look in from outside.
@Suite struct CrashTests {
    private static let secret = (0..<64).map { _ in UInt8.random(in: 0x21...0x7E) }

    private func crash(_ way: String, _ more: [String] = [], environment: [String: String] = [:]) throws -> LiveProgram
    {
        let program = try LiveProgram(
            path: ProgramKeychain.program(), ["crash", way] + more, environment: environment)
        program.send([64, 0, 0, 0] + Self.secret.map { $0 ^ 0xA5 })
        program.wait()
        return program
    }

    /// The secret in the forms that a crash report prints memory and registers in.
    private func shows(_ output: [UInt8]) -> Bool {
        let text = String(decoding: output, as: UTF8.self).lowercased().filter { $0 != " " }
        let hex = Self.secret[..<8].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let plain = String(decoding: Self.secret[..<8], as: UTF8.self).lowercased()
        return [hex.joined(), hex.reversed().joined(), plain].contains { text.contains($0) }
    }

    @Test(arguments: ["null", "overflow", "abort"])
    func `A hardened program that crashes with a secret in hand prints nothing of it and leaves no core`(
        way: String
    ) throws {
        let program = try crash(way, environment: ["SWIFT_BACKTRACE": "enable=yes,color=no"])
        let status = program.wait()
        #expect(status & 0x7F != 0)
        #expect(status & 0x80 == 0)
        #expect(!shows(program.errorOutput))
        #expect(!program.errorText.contains("Thread 0"))
        #expect(!program.errorText.contains("Registers"))
    }

    @Test func `The same program without hardening has its registers printed, so that the test above can fail`() throws
    {
        let program = try crash(
            "null", ["unprotected"], environment: ["SWIFT_BACKTRACE": "enable=yes,color=no,symbolicate=off,limit=4"])
        #expect(program.wait() & 0x7F != 0)
        #expect(shows(program.errorOutput))
    }

    @Test func `A hardened process is refused to another process of its user, memory and trace alike`() throws {
        let lab = try UserLab()
        let hardened = try lab.start(["wait", "hardened"])
        #expect(hardened.line() == "ready", "\(hardened.errorText)")
        let peek = try lab.start(["peek", "\(hardened.pid)"])
        #expect(peek.lines() == ["memory \(EACCES)", "trace \(EPERM)"])
    }

    @Test func `An ordinary process is open to its user, so that the test above can fail`() throws {
        let lab = try UserLab()
        let ordinary = try lab.start(["wait"])
        #expect(ordinary.line() == "ready", "\(ordinary.errorText)")
        let peek = try lab.start(["peek", "\(ordinary.pid)"])
        #expect(peek.lines().first == "memory readable")
    }

    @Test func `A hardened process may write no core`() throws {
        let program = try LiveProgram(path: ProgramKeychain.program(), ["wait", "hardened"])
        #expect(program.line() == "ready")
        let limits = try String(contentsOfFile: "/proc/\(program.pid)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    }
}

/// Runs programs as a user without privileges: as root, nothing is ever refused.
private final class UserLab {
    private let folder: String
    private let program: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/keyfob-user-\(UUID().uuidString)"
        program = folder + "/program"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try ProgramKeychain.copyProgram(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }

    deinit {
        // A folder that cannot be removed is no fault of what was tested.
        try? FileManager.default.removeItem(atPath: folder)
    }

    func start(_ arguments: [String]) throws -> LiveProgram {
        let nobody = "65534"
        let launcher =
            getuid() == 0
            ? ["/usr/bin/setpriv", "--reuid", nobody, "--regid", nobody, "--clear-groups", "--inh-caps=-all"] : []
        return try LiveProgram(path: program, arguments, launcher: launcher)
    }
}
