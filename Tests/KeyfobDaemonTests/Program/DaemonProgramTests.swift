// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import KeyfobTestSupport
import Testing

/// The frame from outside, with the service of the tests inside.
struct DaemonProgramTests {
    /// A folder and a manager of one test.
    private final class Run {
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-run-\(UInt32.random(in: 0 ... .max))"
        let manager = NotifySocket(forThisProcess: false)
        let program: LiveProgram

        init(
            _ arguments: [String] = [], environment: [String: String] = ["TEST_SERVICE": "empty"],
            launcher: [String] = []
        ) throws {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let own = ["NOTIFY_SOCKET": manager.name, "XDG_RUNTIME_DIR": folder, "HOME": folder]
            program = try LiveProgram(
                path: SpawnedProgram.productsFolder() + "/keyfob-test-daemon", arguments,
                environment: own.merging(environment) { $1 }, launcher: launcher)
        }

        deinit {
            program.endByForce()
            // A folder that cannot be removed is no fault of what was tested.
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// Waits until it serves; true if it does.
        func isReady() -> Bool { !manager.message(holding: "READY=1").isEmpty }

        /// Waits until the text is in its error output; false if it is not within a minute.
        func says(_ text: String) -> Bool {
            for _ in 0..<6000 {
                if program.errorText.contains(text) { return true }
                usleep(10_000)
            }
            return false
        }

        func signal(_ number: Int32) { kill(program.pid, number) }
    }

    /// The processes whose parent it is, ended ones that nobody waited for among them.
    private func children(of pid: Int32) throws -> [Int32] {
        try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> SpawnedProgram.Outcome {
        try SpawnedProgram("keyfob-test-daemon", environment: environment).run(arguments)
    }

    @Test func `It tells the manager that it is ready, reloads and stops`() throws {
        let run = try Run()
        #expect(run.manager.message() == "READY=1\nSTATUS=no keychain; 0 reloads")
        run.signal(SIGHUP)
        #expect(run.manager.message().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(run.manager.message() == "READY=1\nSTATUS=no keychain; 1 reloads")
        run.signal(SIGTERM)
        #expect(run.manager.message() == "STOPPING=1\nSTATUS=stopping: SIGTERM")
        #expect(run.program.wait() == 0)
        #expect(run.program.errorText.contains("notice: grace 10 s"))
        #expect(run.program.errorText.hasSuffix("notice: stopped\n"))
    }

    @Test func `Without a keychain it ends with status 6 and tells the manager why`() throws {
        let run = try Run(environment: ["KEYFOB_HOME": "/nowhere"])
        #expect(run.manager.message() == "STATUS=there is no keychain yet: /nowhere")
        #expect(run.program.wait() >> 8 == 6)
        #expect(run.program.errorText.hasSuffix("keyfobd: hint: make one: keyfob init\n"))
    }

    @Test func `A reload and a lock that fail are logged, and it goes on`() throws {
        let deaf = try Run(environment: ["TEST_SERVICE": "deaf", "EMPTY": "1"])
        #expect(deaf.isReady())
        deaf.signal(SIGHUP)
        #expect(deaf.isReady())
        deaf.signal(SIGUSR1)
        #expect(deaf.says("error: the keychain could not be locked"))
        #expect(deaf.says("error: policies stay as they were"))
        deaf.signal(SIGINT)
        #expect(deaf.program.wait() == 0)
    }

    @Test func `A second SIGTERM ends it at once`() throws {
        let run = try Run(environment: ["TEST_SERVICE": "slow-stop", "EMPTY": "1"])
        #expect(run.isReady())
        run.signal(SIGTERM)
        #expect(!run.manager.message(holding: "STOPPING=1").isEmpty)
        run.signal(SIGTERM)
        #expect(run.program.wait() & 0x7F == SIGTERM)
    }

    @Test func `The end of the descriptor stops it, what is written to it does not`() throws {
        // Standard input again, above the standard descriptors.
        let run = try Run(
            ["--stop-with-fd", "9"],
            launcher: ["/bin/bash", "--norc", "-c", "exec 9<&0 </dev/null; exec \"$0\" \"$@\""])
        #expect(run.isReady())
        run.program.proceed()
        run.signal(SIGHUP)
        #expect(run.isReady())
        run.program.endInput()
        #expect(!run.manager.message(holding: "STATUS=stopping: descriptor 9 ended").isEmpty)
        #expect(run.program.wait() == 0)
    }

    @Test func `A descriptor that is not open is refused`() throws {
        let outcome = try run(["--stop-with-fd", "77"], environment: ["XDG_RUNTIME_DIR": "/tmp"])
        #expect(outcome.status == 78)
        #expect(outcome.errorText.contains("--stop-with-fd 77: fcntl: EBADF (9)"))
    }

    @Test func `Descriptors that nobody told it about are closed`() throws {
        let run = try Run(launcher: [
            "/bin/bash", "--norc", "-c", "exec 9</etc/passwd 30</etc/passwd; exec \"$0\" \"$@\"",
        ])
        #expect(run.isReady())
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.program.pid)/fd")
        let targets = open.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(run.program.pid)/fd/\($0)")
        }
        #expect(!targets.isEmpty)
        #expect(!targets.contains("/etc/passwd"))
    }

    @Test func `The watchdog hears of a healthy service and not of a sick one`() throws {
        let watched = ["WATCHDOG_USEC": "200000"]
        let healthy = try Run(environment: ["TEST_SERVICE": "empty"].merging(watched) { $1 })
        #expect(healthy.manager.message(holding: "WATCHDOG=1") == "WATCHDOG=1")
        let sick = try Run(environment: ["TEST_SERVICE": "sick", "EMPTY": "1"].merging(watched) { $1 })
        #expect(sick.isReady())
        #expect(sick.manager.message(holding: "WATCHDOG=1", patience: 1).isEmpty)
        sick.signal(SIGTERM)
        sick.program.wait()
        #expect(sick.program.errorText.contains("watchdog is not told"))
    }

    @Test func `It serves the socket that systemd-socket-activate opens`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-sa-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = try Run(
            environment: ["TEST_SERVICE": "empty"],
            launcher: [
                "/usr/bin/systemd-socket-activate", "--listen=\(folder)/s", "--fdname=keyfobd", "-E", "TEST_SERVICE",
                "-E", "XDG_RUNTIME_DIR", "-E", "NOTIFY_SOCKET",
            ])
        let client = try LiveProgram(
            path: "/usr/bin/perl",
            [
                "-MIO::Socket::UNIX", "-e",
                "my $s; until ($s = IO::Socket::UNIX->new(Peer => $ARGV[0])) { select undef, undef, undef, 0.01 } print <$s>;",
                folder + "/s",
            ])
        #expect(client.line() == "no keychain; 0 reloads")
        #expect(run.isReady())
        #expect(!FileManager.default.fileExists(atPath: run.folder + "/keyfob/keyfobd.sock"))
    }

    @Test func `As process 1 it reaps orphans and stops at SIGTERM`() throws {
        let run = try Run(launcher: ["/usr/bin/unshare", "--pid", "--fork", "--kill-child"])
        #expect(run.isReady())
        let first = try #require(try children(of: run.program.pid).first)
        // A process of the namespace whose parent ends before it.
        let orphan = try LiveProgram(
            path: "/usr/bin/nsenter",
            ["-t", "\(first)", "-p", "/bin/sh", "-c", "(read line; exit 0) <&0 & echo left; exit 0"])
        #expect(orphan.line() == "left")
        orphan.proceed()
        orphan.endInput()
        orphan.wait()
        var polls = 6000
        while try !children(of: first).isEmpty, polls > 0 {
            polls -= 1
            usleep(10_000)
        }
        #expect(polls > 0)
        kill(first, SIGHUP)
        #expect(run.isReady())
        kill(first, SIGTERM)
        #expect(run.program.wait() == 0)
    }

    @Test func `A bad log level is said once`() throws {
        let run = try Run(environment: ["TEST_SERVICE": "empty", "KEYFOB_LOG": "loud"])
        #expect(run.isReady())
        run.signal(SIGTERM)
        run.program.wait()
        #expect(run.program.errorText.components(separatedBy: "KEYFOB_LOG=loud").count == 2)
    }

    @Test func `Usage errors end with status 2 and a hint`() throws {
        let outcome = try run(["--sokcet"])
        #expect(outcome.status == 2)
        #expect(
            outcome.errorText
                == "keyfobd: error: there is no option --sokcet\nkeyfobd: hint: did you mean --socket?\n")
    }

    @Test func `Help and version go to the output`() throws {
        #expect(try run(["--help"]).outputText.hasPrefix("Usage: keyfobd "))
        #expect(try run(["--man"]).outputText.contains("\n.Dt KEYFOBD 8\n"))
        #expect(try run(["--version"]).outputText.hasPrefix("keyfobd "))
    }

    @Test func `Its process cannot be dumped and gains no privileges`() throws {
        let run = try Run()
        #expect(run.isReady())
        let status = try String(contentsOfFile: "/proc/\(run.program.pid)/status", encoding: .utf8)
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("Umask:\t0077"))
    }
}
