// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
import KeyfobWords
internal import Testing

/// The program on a terminal: prompts without echo, colours, the line feed after a value.
struct TerminalTests {
    @Test func `Init asks for the new PIN twice and shows neither`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let outcome = try keychain.program.runOnTerminal(
            ["init"], answers: [("New PIN: ", "864209\n"), ("New PIN again: ", "864209\n")])
        #expect(outcome.status == 0)
        #expect(!outcome.outputText.contains("864209"))
        #expect(outcome.outputText.contains("before first unlock"))
    }

    @Test func `Init asks again if the two differ`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let outcome = try keychain.program.runOnTerminal(
            ["init"],
            answers: [
                ("New PIN: ", "864209\n"), ("again: ", "864208\n"), ("not the same", ""), ("New PIN: ", "1234\n"),
                ("again: ", "1234\n"),
            ])
        #expect(outcome.status == 0)
        let pin = try keychain.write("second-pin", "1234")
        #expect(try keychain.run(["unlock", "--pin-source", pin], withPIN: false).status == 0)
    }

    @Test func `Init asks again for a PIN that no token would take`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let outcome = try keychain.program.runOnTerminal(
            ["init"],
            answers: [
                ("4 to 255 bytes", ""), ("New PIN: ", "123\n"), ("It has 3 bytes", ""),
                ("New PIN: ", "1234\n"), ("again: ", "1234\n"),
            ])
        #expect(outcome.status == 0)
    }

    @Test func `Init with a PIN file that no token would take makes nothing`() throws {
        let keychain = try ProgramKeychain(initialized: false)
        let pin = try keychain.write("short-pin", "123")
        let outcome = try keychain.run(["init", "--pin-source", pin], withPIN: false)
        #expect(outcome.status == ExitStatus.pinRefused.rawValue)
        #expect(outcome.errorText.contains("choose a PIN of 4 to 255 bytes"))
        let status = try keychain.run(["status"], withPIN: false)
        #expect(status.status == ExitStatus.notConfigured.rawValue)
    }

    @Test func `Set asks for the PIN, then for the value, and shows neither`() throws {
        let keychain = try ProgramKeychain()
        let outcome = try keychain.program.runOnTerminal(
            ["set", "mail"], answers: [("PIN: ", ProgramKeychain.pin + "\n"), ("Value of \"mail\": ", "s3cret\n")])
        #expect(outcome.status == 0)
        #expect(outcome.outputText.contains("added item \"mail\""))
        #expect(!outcome.outputText.contains("s3cret"))
        #expect(!outcome.outputText.contains(ProgramKeychain.pin))
        #expect(try keychain.run(["get", "mail"]).outputText == "s3cret")
    }

    @Test func `A line feed follows a value on a terminal`() throws {
        let keychain = try ProgramKeychain()
        #expect(try keychain.run(["set", "mail", "--accessible", "always"], input: Array("abc".utf8)).status == 0)
        #expect(try keychain.program.runOnTerminal(["get", "mail"]).outputText == "abc\r\n")
    }

    @Test func `The prompt names the token`() throws {
        let keychain = try ProgramKeychain()
        let outcome = try keychain.program.runOnTerminal(["unlock"], answers: [("PIN: ", ProgramKeychain.pin + "\n")])
        #expect(outcome.outputText.contains("The keychain's token \"keyfob\" (SoftHSM v2, serial "))
        #expect(outcome.outputText.contains("the PIN is right"))
    }

    @Test func `Get asks for the PIN of the login, then for that of the item, and shows neither`() throws {
        let keychain = try ProgramKeychain()
        let made = try keychain.run(["set", "bank", "--require", "user-presence"], input: Array("s3cret".utf8))
        #expect(made.status == 0, "\(made.errorText)")
        let pin = ProgramKeychain.pin + "\n"
        let outcome = try keychain.program.runOnTerminal(
            ["get", "bank"], answers: [("PIN: ", pin), ("The item needs a person", ""), ("PIN: ", pin)])
        #expect(outcome.status == 0)
        #expect(outcome.outputText.hasSuffix("s3cret\r\n"))
        #expect(!outcome.outputText.contains(ProgramKeychain.pin))
    }

    @Test func `A new password of an item is asked for twice, and again if the two differ`() throws {
        let keychain = try ProgramKeychain()
        let source = ["--require", "application-password", "--pin-source", keychain.pinFile]
        let differs = try keychain.program.runOnTerminal(
            ["set", "bank"] + source,
            answers: [
                ("Password: ", "open sesame\n"), ("Password again: ", "open barley\n"),
                ("The two are not the same", ""), ("Password: ", "\u{03}"),
            ])
        #expect(differs.status == ExitStatus.canceled.rawValue)
        #expect(differs.outputText.contains("The two are not the same"))
        let made = try keychain.program.runOnTerminal(
            ["set", "bank"] + source,
            answers: [
                ("Password: ", "open sesame\n"), ("again: ", "open barley\n"), ("not the same", ""),
                ("Password: ", "open sesame\n"), ("Password again: ", "open sesame\n"),
                ("Value of \"bank\": ", "s3cret\n"),
            ])
        #expect(made.status == 0, "\(made.outputText)")
        let get = ["get", "bank", "--pin-source", keychain.pinFile]
        let wrong = try keychain.program.runOnTerminal(get, answers: [("Password: ", "open barley\n")])
        #expect(wrong.status == ExitStatus.pinRefused.rawValue)
        let right = try keychain.program.runOnTerminal(get, answers: [("Password: ", "open sesame\n")])
        #expect(right.outputText.hasSuffix("s3cret\r\n"))
    }

    @Test func `Breaking off at the prompt is status 130 or the signal`() throws {
        let keychain = try ProgramKeychain()
        let outcome = try keychain.program.runOnTerminal(["unlock"], answers: [("PIN: ", "\u{3}")])
        #expect(outcome.status == 130)
    }

    @Test func `Errors are coloured on a terminal`() throws {
        let program = try SpawnedProgram("keyfob", environment: ["TERM": "xterm"])
        #expect(try program.runOnTerminal(["gte"]).outputText.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    }

    @Test(arguments: [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"], [:]])
    func `Nothing is coloured where it is not wanted`(environment: [String: String]) throws {
        let program = try SpawnedProgram("keyfob", environment: environment)
        #expect(!(try program.runOnTerminal(["gte"]).outputText.contains("\u{1B}")))
    }

    @Test func `An empty NO_COLOR does not count`() throws {
        let program = try SpawnedProgram("keyfob", environment: ["TERM": "xterm", "NO_COLOR": ""])
        #expect(try program.runOnTerminal(["gte"]).outputText.contains("\u{1B}[1;31m"))
    }

    @Test func `Nothing is coloured in a pipe`() throws {
        let program = try SpawnedProgram("keyfob", environment: ["TERM": "xterm"])
        #expect(try program.run(["gte"]).errorText.hasPrefix("keyfob: error: there is no command"))
    }
}
