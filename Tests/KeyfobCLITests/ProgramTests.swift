// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
import KeyfobWords
internal import Testing

/// The built program as people run it: a process, a folder of its own, a SoftHSM token.
struct ProgramTests {
    @Test func `A value comes back in another process byte by byte`() throws {
        let keychain = try ProgramKeychain()
        let value = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let stored = try keychain.run(["set", "blob"], input: value)
        #expect(stored.errorText == "")
        #expect(stored.status == 0)
        let read = try keychain.run(["get", "blob"])
        #expect(read.output == value)
        #expect(read.errorText == "")
        #expect(read.status == 0)
    }

    @Test func `Set replaces, list shows one, rm removes, get finds nothing`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["set", "mail", "-a", "ada"], input: Array("one".utf8)).status == 0)
        #expect(try keychain.run(["set", "mail", "-a", "ada"], input: Array("two".utf8)).status == 0)
        #expect(try keychain.run(["get", "mail"]).outputText == "two")
        let list = try keychain.run(["list", "--json"]).outputText
        #expect(list.split(separator: "\n").count == 3)
        #expect(list.contains("\"name\": \"mail\", \"account\": \"ada\", \"label\": \"mail\""))
        #expect(try keychain.run(["rm", "mail"]).status == 0)
        let gone = try keychain.run(["get", "mail"])
        #expect(gone.status == 3)
        #expect(gone.output == [])
    }

    @Test func `Several accounts are listed and one is chosen`() throws {
        let keychain = try ProgramKeychain()
        for account in ["ada", "bob", "张三"] {
            #expect(try keychain.run(["set", "mail", "-a", account], input: Array(account.utf8)).status == 0)
        }
        let ambiguous = try keychain.run(["get", "mail"])
        #expect(
            ambiguous.errorText == """
                keyfob: error: 3 accounts have an item "mail": "ada", "bob", "张三"
                keyfob: hint: name one with --account

                """)
        #expect(ambiguous.status == 4)
        #expect(try keychain.run(["get", "mail", "-a", "张三"]).outputText == "张三")
        #expect(try keychain.run(["rm", "mail", "--all", "--json"]).outputText == "{\"removed\": \"all\"}\n")
        #expect(try keychain.run(["get", "mail"]).status == 3)
    }

    @Test func `An internet password is found by its protocol`() throws {
        let keychain = try ProgramKeychain()
        let server = ["example.org", "--class", "internet"]
        #expect(try keychain.run(["set"] + server + ["--protocol", "https"], input: [1]).status == 0)
        #expect(try keychain.run(["set"] + server + ["--protocol", "imaps"], input: [2]).status == 0)
        #expect(try keychain.run(["get"] + server).status == 4)
        #expect(try keychain.run(["get"] + server + ["--protocol", "imaps"]).output == [2])
    }

    @Test func `An item that is always accessible needs no PIN, others do`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["set", "open", "--accessible", "always"], input: [1]).status == 0)
        #expect(try keychain.run(["set", "shut"], input: [2]).status == 0)
        #expect(try keychain.run(["get", "open"], withPIN: false).output == [1])
        let refused = try keychain.run(["get", "shut"], withPIN: false)
        #expect(
            refused.errorText == """
                keyfob: error: no PIN could be had
                keyfob: hint: run it on a terminal, or name a file with the PIN: --pin-source FILE, or pin-source in config.json

                """)
        #expect(refused.status == 5)
        #expect(refused.output == [])
    }

    @Test func `A wrong PIN says what the token said, and the right one works after it`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["set", "mail"], input: [1]).status == 0)
        let wrong = try keychain.write("wrong-pin", "999999")
        let refused = try keychain.run(["get", "mail", "--pin-source", wrong], withPIN: false)
        #expect(refused.status == 7)
        #expect(refused.errorText.contains("C_Login: CKR_PIN_INCORRECT (0xA0)"))
        #expect(!refused.errorText.contains("999999"))
        #expect(try keychain.run(["get", "mail"]).output == [1])
    }

    @Test func `A PIN file that others may read is refused with its path`() throws {
        let keychain = try ProgramKeychain()
        let path = try keychain.write("open-pin", "123456", mode: 0o644)
        let refused = try keychain.run(["unlock", "--pin-source", path], withPIN: false)
        #expect(refused.status == 11)
        #expect(refused.errorText.contains(path))
    }

    @Test func `Init where a keychain is changes nothing`() throws {
        let keychain = try ProgramKeychain()
        // All but the process, which is another one each time.
        func facts() throws -> String? {
            try keychain.run(["status", "--json"]).outputText.components(separatedBy: "\"process\"").first
        }
        let before = try facts()
        #expect(try keychain.run(["init"]).status == 4)
        #expect(try facts() == before)
    }

    @Test func `Status names all seven class keys and needs no PIN`() throws {
        let keychain = try ProgramKeychain()
        let status = try keychain.run(["status"], withPIN: false)
        #expect(status.status == 0)
        for code in ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"] {
            #expect(status.outputText.contains("\n\(code) "))
        }
    }

    @Test func `Verify opens every item`() throws {
        let keychain = try ProgramKeychain()
        for name in ["a", "b"] { #expect(try keychain.run(["set", name], input: [1]).status == 0) }
        let verified = try keychain.run(["verify"])
        #expect(verified.outputText == "items that open: 2\n")
        #expect(verified.status == 0)
    }

    @Test func `A value that cannot be written is a failure`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["set", "mail"], input: [1]).status == 0)
        let shell = try SpawnedProgram(path: "/bin/sh", environment: keychain.environment)
        let outcome = try shell.run([
            "-c", "\"$0\" get mail --pin-source \"$1\" > /dev/full", keychain.path, keychain.pinFile,
        ])
        #expect(outcome.errorText.contains("write: ENOSPC (28)"))
        #expect(outcome.status == 74)
    }

    @Test func `An argument that is not UTF-8 is refused and not repaired`() throws {
        let shell = try SpawnedProgram(path: "/bin/sh")
        let path = try SpawnedProgram.productsFolder() + "/keyfob"
        let outcome = try shell.run(["-c", "\"$0\" get \"$(printf 'a\\377')\"", path])
        #expect(outcome.errorText.hasPrefix("keyfob: error: argument 2 is not UTF-8\n"))
        #expect(outcome.status == 2)
    }

    @Test func `Two commands at once wait for each other`() throws {
        let keychain = try ProgramKeychain()
        let shell = try SpawnedProgram(path: "/bin/sh", environment: keychain.environment)
        let script = """
            for n in 1 2 3 4; do printf %s $n | "$0" set "item$n" --pin-source "$1" & done
            wait; "$0" list --json --pin-source "$1"
            """
        let outcome = try shell.run(["-c", script, keychain.path, keychain.pinFile])
        #expect(outcome.errorText == "")
        #expect(outcome.outputText.split(separator: "\n").count == 6)
    }

    @Test func `A PIN that was given as the source is not repeated`() throws {
        let keychain = try ProgramKeychain()
        let refused = try keychain.run(["unlock", "--pin-source", "135790"], withPIN: false)
        #expect(refused.errorText.hasPrefix("keyfob: error: no PIN could be had: --pin-source: access: ENOENT (2)\n"))
        #expect(!refused.errorText.contains("135790"))
        #expect(refused.status == 5)
    }

    @Test func `A PIN file that does not exist is named`() throws {
        let keychain = try ProgramKeychain()
        let refused = try keychain.run(["unlock", "--pin-source", "/nowhere/pin"], withPIN: false)
        #expect(refused.errorText.hasPrefix("keyfob: error: no PIN could be had: /nowhere/pin: open: ENOENT (2)\n"))
    }

    @Test func `A token that is gone is named by its URI`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["set", "mail"], input: [1]).status == 0)
        try keychain.moveTokenAway()
        let outcome = try keychain.run(["get", "mail"])
        #expect(outcome.errorText.hasPrefix("keyfob: error: the token was not found: pkcs11:"))
        #expect(outcome.status == 8)
    }

    @Test func `A store that is none is refused and left as it is`() throws {
        let keychain = try ProgramKeychain()
        try keychain.overwriteStore(with: "no database")
        let outcome = try keychain.run(["list"])
        #expect(outcome.errorText.contains("SQLITE_NOTADB (26)"))
        #expect(outcome.status == 9)
    }
}
