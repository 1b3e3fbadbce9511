// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

/// What came of a question: the entry or the error.
typealias Entry = Result<String, KeychainError>

/// Asks on a thread of its own.
func asking(_ path: String, _ prompt: PINPrompt) -> Background<Entry> {
    Background {
        Entry { () throws(KeychainError) in try TerminalPrompt(path: path).read(prompt).exposed }
    }
}

struct TerminalPromptTests {
    private let terminal: PseudoTerminal
    private let prompt = PINPrompt(description: "PIN of token work", label: "Token PIN")

    init() throws {
        terminal = try PseudoTerminal()
    }

    /// Asks, types `keys` when the question is there, and waits for the end.
    private func answer(_ keys: String) throws -> Entry? {
        let asking = asking(terminal.path, prompt)
        #expect(terminal.waitFor("Token PIN: "))
        try terminal.type(keys)
        let entry = asking.join()
        try terminal.drain()
        return entry
    }

    @Test func `The line is the entry, without its newline`() throws {
        #expect(try answer("4711\n") == .success("4711"))
    }

    @Test func `The question shows what it is for`() throws {
        _ = try answer("4711\n")
        #expect(terminal.screen.hasPrefix("PIN of token work\r\nToken PIN: "))
    }

    @Test func `An error is shown before the question`() throws {
        let prompt = PINPrompt(description: "PIN of token work", error: "wrong PIN, few tries left")
        let asking = asking(terminal.path, prompt)
        #expect(terminal.waitFor("wrong PIN, few tries left\r\nPIN of token work\r\nPIN: "))
        try terminal.type("1\n")
        #expect(asking.join() == .success("1"))
    }

    @Test func `A token's name cannot write to the screen beyond its line`() throws {
        let asking = asking(terminal.path, PINPrompt(description: "evil\u{1B}[2J\ntoken"))
        #expect(terminal.waitFor("evil\\u{1b}[2J\\u{a}token\r\nPIN: "))
        try terminal.type("1\n")
        _ = asking.join()
    }

    @Test func `What is no secret appears on the screen as it is typed`() throws {
        let path = terminal.path
        let asking = Background {
            Entry { () throws(KeychainError) in
                try TerminalPrompt(path: path, echoes: true).read(PINPrompt(description: "", label: "Number")).exposed
            }
        }
        #expect(terminal.waitFor("Number: "))
        try terminal.type("47\n")
        #expect(asking.join() == .success("47"))
        #expect(terminal.waitFor("Number: 47\r\n"))
    }

    @Test func `Nothing that is typed appears on the screen`() throws {
        _ = try answer("4711\n")
        #expect(!terminal.screen.contains("4"))
        #expect(terminal.screen.contains("Token PIN: \r\n"))
    }

    @Test func `Echo is off while the person types and on afterwards`() throws {
        let asking = asking(terminal.path, prompt)
        #expect(terminal.waitFor("Token PIN: "))
        #expect(!terminal.echoes)
        try terminal.type("1\n")
        _ = asking.join()
        #expect(terminal.echoes)
    }

    @Test func `The end of input cancels and echo is on again`() throws {
        #expect(try answer("\u{4}") == .failure(KeychainError(.canceled, .prompt)))
        #expect(terminal.echoes)
    }

    @Test func `The end of input after some characters is an entry`() throws {
        #expect(try answer("47\u{4}\u{4}") == .success("47"))
    }

    @Test func `An empty line is an empty entry`() throws {
        #expect(try answer("\n") == .success(""))
    }

    @Test func `Erased characters are not part of the entry`() throws {
        #expect(try answer("48\u{7F}711\n") == .success("4711"))
    }

    @Test func `An entry of the longest size is taken and one byte more is refused`() throws {
        let longest = String(repeating: "x", count: TerminalPrompt.limit)
        #expect(try answer(longest + "\n") == .success(longest))
        let again = try PseudoTerminal()
        let asking = asking(again.path, prompt)
        #expect(again.waitFor("Token PIN: "))
        try again.type(longest + "y\n")
        guard case .failure(let error) = asking.join() else {
            Issue.record("a long entry was taken")
            return
        }
        #expect(error.code == .pinLength)
        #expect(again.echoes)
    }

    @Test func `What was typed before the question is no answer`() throws {
        try terminal.type("0000\n")
        // The terminal shows what it has taken in.
        #expect(terminal.waitFor("0000\r\n"))
        #expect(try answer("4711\n") == .success("4711"))
    }

    @Test func `Without a terminal no PIN is given`() throws {
        let folder = try TemporaryFolder()
        let none = TerminalPrompt(path: folder("tty"))
        #expect(!none.isAvailable)
        #expect(failure { () throws(KeychainError) in try none.read(prompt) }?.code == .pinNotGiven)
        #expect(TerminalPrompt(path: terminal.path).isAvailable)
    }

    @Test func `A file is no terminal`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("file", "4711\n")
        let error = failure { () throws(KeychainError) in try TerminalPrompt(path: path).read(prompt) }
        #expect(error?.cause == .posix(call: "tcgetattr", errno: ENOTTY))
    }
}
