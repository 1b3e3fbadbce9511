// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

/// The programs of Debian's packages pinentry-tty and pinentry-curses, on a terminal that the test holds.
struct RealPinentryTests {
    private let terminal: PseudoTerminal

    init() throws {
        terminal = try PseudoTerminal()
    }

    private func ask(_ program: String) -> Background<Entry> {
        let environment = ["GPG_TTY": terminal.path, "TERM": "xterm", "LANG": "C.UTF-8"]
        return Background {
            Entry { () throws(KeychainError) in
                try Pinentry(program: program, environment: { environment[$0] })
                    .read(PINPrompt(description: "PIN of token work", label: "Token PIN")).exposed
            }
        }
    }

    @Test func `An entry at pinentry-tty arrives`() throws {
        let asking = ask("/usr/bin/pinentry-tty")
        #expect(terminal.waitFor("Token PIN:"))
        try terminal.type("47 1%1\n")
        #expect(asking.join() == .success("47 1%1"))
        #expect(!terminal.screen.contains("47 1%1"))
    }

    @Test func `An entry at pinentry-curses arrives`() throws {
        let asking = ask("/usr/bin/pinentry-curses")
        #expect(terminal.waitFor("Token PIN:"))
        try terminal.type("4711\r")
        #expect(asking.join() == .success("4711"))
        #expect(!terminal.screen.contains("4711"))
    }

    @Test func `The end of input at pinentry-tty cancels`() throws {
        let asking = ask("/usr/bin/pinentry-tty")
        #expect(terminal.waitFor("Token PIN:"))
        try terminal.type("\u{4}")
        #expect(asking.join() == .failure(KeychainError(.canceled, .prompt)))
    }
}
