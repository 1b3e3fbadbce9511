// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobTestSupport
internal import Testing

/// What signals, a terminal and kills do to a sandbox.
@Suite(.timeLimit(.minutes(3)))
struct SandboxSignalTests {
    /// Waits for a line of the test, in a way that a signal ends at once.
    private static let waiting = "echo ready; read go"

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
    func `A signal to keyfob reaches the command, whose status counts`(signal: Int32) throws {
        let live = try SandboxRun.start("trap 'exit 5' TERM INT HUP USR1; \(Self.waiting)")
        #expect(live.program.line() == "ready")
        kill(live.program.pid, signal)
        #expect(live.program.wait() == 5 << 8)
        #expect(!SandboxRun.exists(live.folder))
    }

    @Test func `A command that dies of a passed signal gives 128 and the signal`() throws {
        let live = try SandboxRun.start(Self.waiting)
        #expect(live.program.line() == "ready")
        kill(live.program.pid, SIGTERM)
        #expect(live.program.wait() == (128 + SIGTERM) << 8)
        #expect(!SandboxRun.exists(live.folder))
    }

    @Test func `When keyfob is killed, the daemon removes the folder and the command is told to end`() throws {
        let live = try SandboxRun.start(Self.waiting)
        #expect(live.program.line() == "ready")
        try live.untilUnused { kill(live.program.pid, SIGKILL) }
        #expect(!SandboxRun.exists(live.folder))
        // The command held the other end of the output.
        #expect(live.program.line() == nil)
    }

    @Test func `When the daemon is killed, the command goes on and keyfob removes the folder`() throws {
        let live = try SandboxRun.start("read go; \"$KEYFOB\" list >/dev/null 2>&1; echo $?; exit 4")
        kill(try live.daemon(), SIGKILL)
        live.program.proceed()
        #expect(live.program.line() == "12")
        #expect(live.program.wait() == 4 << 8)
        #expect(!SandboxRun.exists(live.folder))
        #expect(live.program.errorText.contains("the sandbox's daemon ended (status 137)"))
    }

    @Test func `When both are killed at once, the next sandbox removes the folder`() throws {
        let live = try SandboxRun.start(Self.waiting)
        let daemon = try live.daemon()
        try live.untilUnused {
            // Held, it cannot do anything when the other one dies.
            kill(daemon, SIGSTOP)
            kill(live.program.pid, SIGKILL)
            kill(daemon, SIGKILL)
        }
        #expect(try SandboxRun.shell("true").status == 0)
        #expect(!SandboxRun.exists(live.folder))
    }

    @Test func `A sandbox that is being used is not swept`() throws {
        let live = try SandboxRun.start("read go; printf x | \"$KEYFOB\" set mail && \"$KEYFOB\" get mail")
        #expect(try SandboxRun.shell("true").status == 0)
        live.program.proceed()
        #expect(live.program.lines() == [] || live.program.wait() == 0)
        #expect(live.program.wait() == 0)
    }

    @Test func `The keys of a terminal reach the command once`() throws {
        let program = try SpawnedProgram("keyfob")
        // It looks for the signal again and again: one that comes just before a read is told after the read.
        let line = "trap 'n=x$n' INT; echo ready; until [ \"$n\" ]; do sleep 0.01; done; echo got; read a; echo end=$n"
        let outcome = try program.runOnTerminal(
            ["sandbox", "--", "/bin/bash", "-c", line],
            answers: [("ready", "\u{3}"), ("got", "one\n")])
        #expect(outcome.outputText.contains("end=x\r\n"))
        #expect(outcome.status == 0)
    }

    @Test func `A shell in it has job control`() throws {
        let program = try SpawnedProgram(
            "keyfob", environment: ["PS1": "shell> ", "HOME": "/nonexistent", "TERM": "dumb"])
        let outcome = try program.runOnTerminal(
            ["sandbox", "--", "/bin/bash", "--norc", "--noprofile", "--noediting", "-i"],
            answers: [
                // A job that says when it runs: keys typed before go to the shell.
                ("shell> ", "sh -c 'echo u\"\"p; read x; echo g\"\"ot $x'\n"), ("up\r\n", "\u{1A}"),
                ("Stopped", "fg\ndone\n"), ("got done", "exit 6\n"),
            ])
        #expect(!outcome.outputText.contains("no job control"))
        #expect(outcome.status == 6)
    }
}
