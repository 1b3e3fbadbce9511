// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobModel
internal import KeyfobTestSupport
import KeyfobWords
internal import Testing

struct HelpTests {
    private let fake = FakeAccess()

    @Test func `No arguments give the list of commands on the error output`() {
        let run = Transcript([], on: fake)
        #expect(run.status == .usage)
        #expect(run.output == [])
        #expect(run.error.contains("Commands:"))
    }

    @Test func `Asked for, the list of commands goes to the output`() {
        for arguments in [["help"], ["--help"], ["-h"]] {
            let run = Transcript(arguments, on: fake)
            #expect(run.status == .success)
            #expect(
                run.text.split(separator: "\n").contains {
                    $0.hasPrefix("  get NAME ") && $0.hasSuffix(" print a value")
                })
        }
    }

    @Test(arguments: Verb.allCases)
    func `Every command has a help that shows its options and opens no keychain`(verb: Verb) {
        fake.keychainExists = false
        let run = Transcript([verb.rawValue, "--help"], on: fake)
        #expect(run.status == .success)
        #expect(run.text.hasPrefix("Usage: keyfob \(verb.rawValue)"))
        for option in verb.spec.options { #expect(run.text.contains("--\(option.rawValue)")) }
    }

    @Test func `No line of any help is longer than 104 columns`() {
        for verb in Verb.allCases {
            for line in HelpText.of(verb.spec).split(separator: "\n") where !line.hasPrefix("Usage") {
                #expect(line.count <= 104, "\(line)")
            }
        }
    }

    @Test func `Every command that is shown and prints takes the option for JSON`() {
        // metrics has a form of its own for machines.
        for verb in Verb.allCases where !verb.spec.isHidden && ![.help, .sandbox, .metrics].contains(verb) {
            #expect(verb.spec.options.contains(.json), "\(verb)")
        }
    }

    @Test func `Every example is a command that parses`() throws {
        for example in Verb.allCases.flatMap(\.spec.examples) {
            let command = example.command.split(separator: " | ").first { $0.hasPrefix("keyfob ") }
            let words = try #require(command).split(separator: " ").prefix { $0 != "<" }.dropFirst()
            _ = try ArgumentParser.parse(words.map { $0.filter { $0 != "'" } })
        }
    }

    @Test func `Help of what does not exist is a usage failure`() {
        #expect(Transcript(["help", "gte"], on: fake).status == .usage)
    }

    @Test func `The version is printed as text and as JSON`() {
        #expect(Transcript(["version"], on: fake).text == "keyfob \(Version.current)\n")
        #expect(Transcript(["version", "--json"], on: fake).text == "{\"version\": \"\(Version.current)\"}\n")
    }

    @Test(arguments: [("bash", BashCompletion.script), ("zsh", ZshCompletion.script), ("fish", FishCompletion.script)])
    func `Completions know every command and option`(shell: String, script: String) {
        #expect(Transcript(["completion", shell], on: fake).text == script)
        for verb in Verb.allCases where !verb.spec.isHidden {
            #expect(script.contains(verb.rawValue))
            for option in verb.spec.options { #expect(script.contains(option.rawValue)) }
        }
    }

    @Test func `Bash completes commands and the words of an option`() throws {
        let bash = try SpawnedProgram(path: "/bin/bash")
        let probe = """
            eval "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _keyfob; printf '%s ' "${COMPREPLY[@]}"
            """
        func complete(_ words: String...) throws -> String {
            try bash.run(["-c", probe, "bash", BashCompletion.script] + words).outputText
        }
        #expect(try complete("keyfob", "st") == "status ")
        #expect(try complete("keyfob", "set", "mail", "--accessible", "al") == "always always-this-device-only ")
        #expect(try complete("keyfob", "rm", "--al") == "--all ")
        #expect(try complete("keyfob", "get", "--al") == " ")
        #expect(try complete("keyfob", "token", "ch") == "change-pin ")
        #expect(try complete("keyfob", "sandbox", "--token", "") == "softhsm ")
        #expect(try complete("keyfob", "init", "--token", "") == " ")
    }

    @Test func `The manual page says what an option means to the one command that takes it otherwise`() {
        let text = ManualPage.text.split(separator: "\n")
        #expect(text.contains { $0.hasPrefix("\\-\\-token KIND: what holds the keys") })
        #expect(text.contains { $0.hasPrefix("\\-\\-so\\-pin\\-source SOURCE: where the security officer") })
    }

    @Test func `Another shell has no completions`() {
        #expect(Transcript(["completion", "tcsh"], on: fake).status == .usage)
    }

    @Test func `The manual page has every section and every exit status`() {
        let text = Transcript(["man"], on: fake).text
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES"] {
            #expect(text.contains(".Sh \(section)\n"))
        }
        for (status, meaning) in ExitStatus.all { #expect(text.contains(".It \(status.rawValue)\n\(meaning)\n")) }
        #expect(!text.contains("\n\n"))
    }
}
