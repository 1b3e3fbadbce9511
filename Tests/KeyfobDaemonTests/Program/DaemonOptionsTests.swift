// SPDX-License-Identifier: Apache-2.0
import KeyfobDaemon
import KeyfobModel
import KeyfobWords
import Testing

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

    @Test func `The help names every option`() {
        for option in [
            "system", "user", "home", "socket", "pin-source", "stop-with-fd", "allow-root", "verbose", "idle",
        ] {
            #expect(DaemonHelp.text.contains("--\(option)"))
        }
    }
}
