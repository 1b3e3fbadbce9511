// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

/// Signals while a question is open.
///
/// A child asks; its question names its process.
struct TerminalSignalTests {
    private let terminal: PseudoTerminal

    init() throws {
        terminal = try PseudoTerminal()
    }

    private static func read(_ path: String) throws(KeychainError) -> SecretBytes {
        try TerminalPrompt(path: path).read(PINPrompt(description: "asked by \(getpid()).", label: "PIN"))
    }

    private static func forget(_ number: Int32) { signal(number, SIG_DFL) }

    private static func announce(_ number: Int32) {
        signal(number) { _ in _ = unsafe write(STDOUT_FILENO, "handled", 7) }
    }

    /// Waits for the child's question, on a thread of its own as the test waits for the child, and goes on with its pid.
    private func whenAsked(_ body: @escaping @Sendable (PseudoTerminal, pid_t) -> Void) -> Background<Bool> {
        Background { [terminal] in
            guard terminal.waitFor("PIN: "), let line = terminal.screen.split(separator: ".").first,
                let pid = line.split(separator: " ").last.flatMap({ pid_t($0) })
            else { return false }
            body(terminal, pid)
            return true
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func `A signal ends the program as ever, with echo on again`(number: Int32) async {
        let keyboard = whenAsked { _, pid in kill(pid, number) }
        await #expect(processExitsWith: .signal(number)) { [path = terminal.path as String, number] in
            // The Swift runtime may have a handler of its own for SIGQUIT.
            Self.forget(number)
            _ = try Self.read(path)
        }
        #expect(keyboard.join() == true)
        #expect(terminal.echoes)
    }

    @Test func `A program that handles the signal handles it and sees the question canceled`() async throws {
        let keyboard = whenAsked { _, pid in kill(pid, SIGTERM) }
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardOutputContent]
        ) { [path = terminal.path as String] in
            Self.announce(SIGTERM)
            let error = failure { () throws(KeychainError) in try Self.read(path) }
            precondition(error?.code == .canceled)
        }
        #expect(keyboard.join() == true)
        #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("handled"))
        #expect(terminal.echoes)
    }

    @Test func `A signal that the program ignores does not disturb the question`() async {
        let keyboard = whenAsked { terminal, pid in
            kill(pid, SIGHUP)
            // A lost terminal has nobody to tell.
            try? terminal.type("4711\n")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            signal(SIGHUP, SIG_IGN)
            let entry = try Self.read(path).exposed
            precondition(entry == "4711")
        }
        #expect(keyboard.join() == true)
    }

    @Test func `A stopped program asks again when it goes on`() async {
        let keyboard = whenAsked { terminal, pid in
            kill(pid, SIGTSTP)
            // A signal to go on would take back one to stop that has not arrived; the new line says that it has.
            terminal.waitFor("PIN: \r\n")
            // Where nobody controls the job, the kernel does not stop it; going on does no harm then.
            terminal.waitFor("PIN: ", count: 2) { kill(pid, SIGCONT) }
            try? terminal.type("4711\n")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            let entry = try Self.read(path).exposed
            precondition(entry == "4711")
        }
        #expect(keyboard.join() == true)
        #expect(terminal.screen.hasSuffix("PIN: "))
        #expect(terminal.echoes)
    }
}
