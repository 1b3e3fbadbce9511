// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobTestSupport
import Testing

/// The scripts of `tokens/`, as a person runs them.
@Suite struct ScriptTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/tokens"

    /// Each script of each kind: `softhsm/make` and so on.
    static let scripts: [String] = TokenKind.allCases.flatMap { kind in
        ["make", "pull", "insert", "stop"].map { "\(kind.rawValue)/\($0)" }
    }.filter { FileManager.default.isExecutableFile(atPath: "\(root)/\($0)") }

    private func run(_ script: String, _ arguments: [String]) throws -> SpawnedProgram.Outcome {
        try SpawnedProgram(
            path: "\(Self.root)/\(script)", environment: ProcessInfo.processInfo.environment
        ).run(arguments)
    }

    @Test func `Every kind has what starts or stops something, in pairs`() {
        for kind in TokenKind.allCases { #expect(Self.scripts.contains("\(kind.rawValue)/make")) }
        let verbs = { (verb: String) in Self.scripts.filter { $0.hasSuffix("/" + verb) }.count }
        #expect(verbs("pull") == verbs("insert"))
        #expect(verbs("pull") == 5)
    }

    @Test(arguments: scripts)
    func `Help is printed on request, to standard output`(_ script: String) throws {
        let outcome = try run(script, ["--help"])
        #expect(outcome.status == 0)
        #expect(outcome.outputText.hasPrefix("usage: tokens/\(script) "))
        #expect(outcome.errorText.isEmpty)
    }

    @Test(arguments: scripts, [["--nonsense"], [], ["one", "two"]])
    func `Wrong usage ends with 64 and a message`(_ script: String, _ arguments: [String]) throws {
        // Two folders, the first of which is there: it is the second that is too much.
        let outcome = try run(script, arguments == ["one", "two"] ? ["/", "two"] : arguments)
        #expect(outcome.status == 64)
        #expect(outcome.outputText.isEmpty)
        #expect(outcome.errorText.hasPrefix("tokens/\(script): error: "))
    }

    @Test(arguments: ["", "nothing", "../softhsm", "lend"])
    func `A kind that there is not is refused`(_ kind: String) throws {
        #expect(try run("lend", [kind]).status == 64)
    }

    // MARK: - Lending

    private func lend() throws -> (program: LiveProgram, folder: String) {
        let program = try LiveProgram(
            path: Self.root + "/lend", ["softhsm", "one", "two"], launcher: ["/usr/bin/setsid"])
        while let line = program.line() {
            if line.hasPrefix("# ") { return (program, String(line.dropFirst(2))) }
            #expect(line.hasPrefix("export "))
        }
        Issue.record("tokens/lend: \(program.errorText)")
        throw POSIXError(.ENOENT)
    }

    @Test func `A lent token is there until the input ends, and then nothing of it`() throws {
        let (program, folder) = try lend()
        #expect(FileManager.default.fileExists(atPath: folder + "/softhsm2.conf"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tokens").count == 2)
        program.endInput()
        #expect(program.wait() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `A lender that is told to end cleans up`(_ signal: Int32) throws {
        let (program, folder) = try lend()
        kill(program.pid, signal)
        program.wait()
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
