// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobWords
import Testing

@testable import KeyfobDaemon

struct DaemonOptionsTests {
    private func fault(of arguments: [String]) -> Failure? {
        do throws(Failure) { _ = try DaemonOptions.parse(arguments) } catch { return error }
        return nil
    }

    @Test func `Without arguments it serves the user`() throws {
        #expect(try DaemonOptions.parse([]) == .serve(DaemonOptions()))
        #expect(DaemonOptions().mode == .user)
    }

    @Test func `Every option is understood, with its value as the next argument or after an equals sign`() throws {
        var wanted = DaemonOptions()
        wanted.mode = .system
        wanted.home = "/a=b"
        wanted.socket = "/s"
        wanted.pinSource = "-"
        wanted.stopDescriptor = 7
        wanted.idle = .seconds(900)
        wanted.allowsRoot = true
        wanted.isVerbose = true
        let arguments = ["--system", "--home=/a=b", "--socket", "/s", "--pin-source", "-", "--stop-with-fd", "7"]
        #expect(try DaemonOptions.parse(arguments + ["--allow-root", "--verbose", "--idle=15m"]) == .serve(wanted))
    }

    @Test func `Help wins over version, wherever they stand`() throws {
        #expect(try DaemonOptions.parse(["--version"]) == .version)
        #expect(try DaemonOptions.parse(["--version", "--system", "--help"]) == .help)
        #expect(try DaemonOptions.parse(["--help", "--version"]) == .help)
    }

    @Test(arguments: [
        ["--home"], ["--home="], ["--verbose=yes"], ["--system", "--user"], ["--stop-with-fd", "2"],
        ["--stop-with-fd", "x"], ["--idle"], ["--idle", "soon"], ["--idle", "0s"], ["--idle", "8d"], ["serve"],
        ["--nothing"], ["-v"],
    ])
    func `Arguments that make no command are a usage error with a hint`(arguments: [String]) throws {
        let failure = try #require(fault(of: arguments))
        #expect(failure.status == .usage)
        #expect(failure.hint != nil)
    }

    @Test func `A mistyped option gets the nearest one`() {
        #expect(fault(of: ["--sokcet", "/x"])?.hint == "did you mean --socket?")
    }

    @Test func `A word in the wrong place is not repeated, as it may be the PIN`() throws {
        let failure = try #require(fault(of: ["--verbose", "123456"]))
        #expect(!"\(failure)".contains("123456"))
    }

    @Test(arguments: DaemonOptions.Option.allCases)
    func `Help and manual page have every option`(option: DaemonOptions.Option) {
        #expect(DaemonHelp.text.contains("  \(option.rawValue) "))
        let item = ".It " + option.rawValue.map { $0 == "-" ? "\\-" : String($0) }.joined()
        let lines = DaemonManualPage.text.split(separator: "\n")
        #expect(lines.count { $0 == item || $0.hasPrefix(item + " ") } == 1)
    }

    @Test func `The manual page has every section, signals, files and exit statuses`() {
        let text = DaemonManualPage.text
        for section in [
            "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SIGNALS", "ENVIRONMENT", "FILES", "EXIT STATUS", "SEE ALSO",
        ] {
            #expect(text.contains(".Sh \(section)\n"))
        }
        for signal in ["TERM, INT", "HUP", "USR1"] { #expect(text.contains(".It \(signal)\n")) }
        for file in ["/var/lib/keyfob", "/run/keyfob/keyfobd.sock", "config.json", "/etc/keyfob/access.d"] {
            #expect(text.contains(".It Pa \(file)\n"))
        }
        for status in [0, 1, 2, 6, 8, 9, 10, 11, 74, 78] { #expect(text.contains("\n.It \(status)\n")) }
        #expect(!text.contains("\n\n"))
    }
}
