// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
import KeyfobWords
internal import Testing

/// `keyfob token` as people run it: on a SoftHSM token whose security officer is known.
struct TokenProgramTests {
    private static let passcode = ["--accessible", "akpu"]
    private let keychain: ProgramKeychain
    private let soFile: String
    private let newFile: String
    /// The options with both PINs.
    private let unblock: [String]

    init() throws {
        keychain = try ProgramKeychain(initialized: false)
        soFile = try keychain.write("so", "87654321\n")
        newFile = try keychain.write("new", "246802\n")
        unblock = ["token", "unblock", "--so-pin-source", soFile, "--new-pin-source", newFile]
        let made = try keychain.run(["init", "--so-pin-source", soFile])
        try #require(made.status == 0, "\(made.errorText)")
    }

    private func store(_ name: String, _ options: [String] = [], pin: String? = nil) throws -> Int32 {
        let source = ["--pin-source", pin ?? keychain.pinFile]
        return try keychain.run(["set", name] + options + source, input: Array(name.utf8), withPIN: false).status
    }

    private func value(_ name: String, pin: String) throws -> SpawnedProgram.Outcome {
        try keychain.run(["get", name, "--pin-source", pin], withPIN: false)
    }

    // MARK: - Changing

    @Test func `A changed PIN opens the keychain, and the old one does not`() throws {
        #expect(try store("mail") == 0)
        #expect(try store("pass", Self.passcode) == 0)
        let changed = try keychain.run(["token", "change-pin", "--new-pin-source", newFile])
        #expect(changed.status == 0)
        #expect(changed.outputText + changed.errorText == "")
        #expect(try value("mail", pin: newFile).outputText == "mail")
        #expect(try value("pass", pin: newFile).outputText == "pass")
        #expect(try value("mail", pin: keychain.pinFile).status == ExitStatus.pinRefused.rawValue)
    }

    @Test func `A wrong old PIN is refused and the tries left are told`() throws {
        let wrong = try keychain.write("wrong", "000000")
        let refused = try keychain.run(
            ["token", "change-pin", "--pin-source", wrong, "--new-pin-source", newFile], withPIN: false)
        #expect(refused.status == ExitStatus.pinRefused.rawValue)
        #expect(refused.errorText.contains("C_SetPIN: CKR_PIN_INCORRECT (0xA0)"))
        #expect(refused.errorText.contains("few tries are left"))
        #expect(try store("mail") == 0)
    }

    @Test func `On a terminal the new PIN is asked for twice and shown never`() throws {
        let run = try keychain.program.runOnTerminal(
            ["token", "change-pin"],
            answers: [
                ("PIN: ", ProgramKeychain.pin + "\n"), ("New PIN: ", "246802\n"), ("again: ", "246803\n"),
                ("not the same", ""), ("New PIN: ", "246802\n"), ("again: ", "246802\n"),
            ])
        #expect(run.status == 0, "\(run.outputText)")
        #expect(!run.outputText.contains("24680"))
        #expect(run.outputText.contains("The two are not the same"))
        #expect(try store("mail", pin: newFile) == 0)
    }

    @Test func `The same PIN in another Unicode form is the same PIN`() throws {
        let apart = try keychain.write("apart", "gehe\u{301}im\n")
        let together = try keychain.write("together", "geh\u{E9}im\n")
        #expect(try keychain.run(["token", "change-pin", "--new-pin-source", apart]).status == 0)
        #expect(try store("mail", pin: together) == 0)
        #expect(try value("mail", pin: apart).outputText == "mail")
    }

    @Test func `The copy of the token's file opens with the new PIN as soon as it is set`() throws {
        let line = #"""
            cd "$KEYFOB_HOME/token" && for each in tokens/*/token.object; do
            name=${each%/token.object}; tail -c +9 "$each" >"$FOLDER/now"
            tail -c +9 "copies/${name#tokens/}.object" | cmp -s - "$FOLDER/now" && echo same; done
            """#
        #expect(try keychain.run(["token", "change-pin", "--new-pin-source", newFile]).status == 0)
        #expect(try keychain.shell(line).outputText == "same\n")
        let again = ["token", "unblock", "--so-pin-source", soFile, "--new-pin-source", keychain.pinFile]
        #expect(try keychain.run(again, withPIN: false).status == 0)
        #expect(try keychain.shell(line).outputText == "same\n")
    }

    @Test(arguments: [("change-pin", "new-pin-source"), ("unblock", "so-pin-source"), ("unblock", "new-pin-source")])
    func `A PIN in the place of its source is not repeated, and the option is named`(
        _ what: String, _ option: String
    ) throws {
        let others = ["--so-pin-source", soFile, "--new-pin-source", newFile]
        let given = what == "unblock" && option != "so-pin-source" ? Array(others.prefix(2)) : []
        let refused = try keychain.run(
            ["token", what, "--\(option)", "975310"] + given
                + (what == "change-pin" ? ["--pin-source", keychain.pinFile] : []), withPIN: false)
        #expect(refused.status == ExitStatus.locked.rawValue)
        #expect(refused.errorText.hasPrefix("keyfob: error: no PIN could be had: --\(option): access: ENOENT (2)\n"))
        #expect(!refused.errorText.contains("975310"))
    }

    // MARK: - Unblocking

    @Test func `Unblocking by a script destroys as many items as it names`() throws {
        #expect(try store("mail") == 0)
        #expect(try store("pass", Self.passcode) == 0)
        let refused = try keychain.run(unblock, withPIN: false)
        #expect(refused.status == ExitStatus.usage.rawValue)
        #expect(
            refused.errorText == """
                items of class when-passcode-set-this-device-only that will be gone: 1
                keyfob: error: nothing was changed: nobody is there to agree
                keyfob: hint: give --destroy 1

                """)
        let mistaken = try keychain.run(unblock + ["--destroy", "2"], withPIN: false)
        #expect(mistaken.status == ExitStatus.usage.rawValue)
        #expect(mistaken.errorText.contains("nothing was changed: 1 would be gone, not 2"))
        #expect(try value("pass", pin: keychain.pinFile).outputText == "pass")
        let done = try keychain.run(unblock + ["--destroy", "1", "--json"], withPIN: false)
        #expect(done.status == 0, "\(done.errorText)")
        #expect(done.outputText == "{\"destroyed\": 1}\n")
        #expect(try value("mail", pin: newFile).outputText == "mail")
        #expect(try value("pass", pin: newFile).status == ExitStatus.notFound.rawValue)
        #expect(try store("pass", Self.passcode, pin: newFile) == 0)
        #expect(try value("pass", pin: newFile).outputText == "pass")
    }

    @Test func `On a terminal the number that is typed decides`() throws {
        #expect(try store("pass", Self.passcode) == 0)
        let stopped = try keychain.program.runOnTerminal(unblock, answers: [("Type that number to go on: ", "7\n")])
        #expect(stopped.status == ExitStatus.canceled.rawValue)
        #expect(stopped.outputText.contains("nothing was changed: 7 is not 1"))
        let done = try keychain.program.runOnTerminal(unblock, answers: [("Type that number to go on: ", "1\n")])
        #expect(done.status == 0, "\(done.outputText)")
        #expect(done.outputText.contains("the new PIN is set and the keychain is locked"))
    }

    @Test func `A wrong PIN of the security officer changes nothing`() throws {
        #expect(try store("pass", Self.passcode) == 0)
        let wrong = try keychain.write("wrong", "00000000")
        let refused = try keychain.run(
            ["token", "unblock", "--so-pin-source", wrong, "--new-pin-source", newFile, "--destroy", "1"],
            withPIN: false)
        #expect(refused.status == ExitStatus.pinRefused.rawValue)
        #expect(refused.errorText.contains("the token refused the security officer's PIN"))
        #expect(try value("pass", pin: keychain.pinFile).outputText == "pass")
    }

    // MARK: - Crashes

    /// A place to die at, and what holds afterwards.
    struct Crash: Sendable, CustomTestStringConvertible {
        let place: String
        let hasNewPIN: Bool
        let keepsItem: Bool
        /// Of the passcode class's key after the next unlock.
        let generation: String

        init(_ place: String, newPIN: Bool, keepsItem: Bool = false, generation: String = "2") {
            (self.place, hasNewPIN, self.keepsItem, self.generation) = (place, newPIN, keepsItem, generation)
        }

        var testDescription: String { place }
    }

    @Test(arguments: [
        Crash("C_Login:1", newPIN: false, keepsItem: true, generation: "1"),
        Crash("C_Login:1:after", newPIN: false, keepsItem: true, generation: "1"),
        Crash("C_InitPIN:1", newPIN: false), Crash("C_InitPIN:1:after", newPIN: true),
        Crash("C_Logout:1:after", newPIN: true), Crash("C_Login:2", newPIN: true),
        Crash("C_Login:2:after", newPIN: true), Crash("C_DestroyObject:1", newPIN: true),
        Crash("C_DestroyObject:1:after", newPIN: true), Crash("C_GenerateKey:1", newPIN: true),
        Crash("C_GenerateKey:1:after", newPIN: true, generation: "3"), Crash("C_Logout:2", newPIN: true),
        Crash("C_Logout:2:after", newPIN: true),
    ])
    func `A process that is killed while it unblocks leaves a keychain that the next unlock puts in order`(
        crash: Crash
    ) throws {
        #expect(try store("mail") == 0)
        #expect(try store("pass", Self.passcode) == 0)
        // The same token, by way of the mock module.
        let mock = try SpawnedProgram.productsFolder() + "/libCKeyfobMockModule.so"
        let text = try keychain.contents("config.json").replacing(/module-path=[^"&;?]*/, with: "module-path=\(mock)")
        _ = try keychain.write("keychain/config.json", text)
        let doomed = try SpawnedProgram(
            "keyfob", environment: keychain.environment.merging(["KEYFOB_MOCK_KILL": crash.place]) { $1 })
        #expect(try doomed.run(unblock + ["--destroy", "1"]).status == 128 + 9)

        let pin = crash.hasNewPIN ? newFile : keychain.pinFile
        #expect(try value("mail", pin: pin).outputText == "mail")
        let pass = try value("pass", pin: pin)
        #expect(pass.outputText == (crash.keepsItem ? "pass" : ""))
        #expect(pass.status == (crash.keepsItem ? 0 : ExitStatus.notFound.rawValue))
        #expect(try store("other", Self.passcode, pin: pin) == 0)
        #expect(try value("other", pin: pin).outputText == "other")
        #expect(try keychain.run(["verify", "--pin-source", pin], withPIN: false).status == 0)
        let generation = try keychain.run(["status", "--json"]).outputText
            .matches(of: /"code": "akpu".*?"generation": (\d+)/).map(\.output.1)
        #expect(generation == [crash.generation[...]])
        // And once more, to the end.
        let done = try keychain.run(
            unblock + ["--destroy", crash.keepsItem ? "2" : "1"], withPIN: false)
        #expect(done.status == 0, "\(done.errorText)")
    }
}
