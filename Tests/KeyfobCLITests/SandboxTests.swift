// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobTestSupport
import KeyfobWords
internal import Testing

/// `keyfob sandbox` as people run it, with a real token and a real daemon each time.
struct SandboxTests {
    @Test func `A command stores and reads a value, and its status is passed on`() throws {
        let outcome = try SandboxRun.shell(
            "printf secret | \"$KEYFOB\" set mail -a ada && \"$KEYFOB\" get mail; exit 7")
        #expect(outcome.outputText == "secret")
        #expect(outcome.status == 7)
    }

    @Test func `Nothing is left of the folder when the command has ended`() throws {
        let outcome = try SandboxRun.shell(
            "dirname \"$KEYFOB_HOME\"; mkdir -p \"$KEYFOB_HOME/a/b\"; ln -s / \"$KEYFOB_HOME/a/c\"")
        let folder = outcome.outputText.filter { $0 != "\n" }
        #expect(folder.contains("/keyfob-sandbox-"))
        #expect(!SandboxRun.exists(folder))
        #expect(SandboxRun.exists("/etc/passwd"))
        #expect(outcome.errorText == "")
    }

    @Test func `A command that a signal ended gives 128 and the signal`() throws {
        #expect(try SandboxRun.shell("kill -KILL $$").status == 128 + SIGKILL)
    }

    @Test func `A command that does not exist gives 127, and one that cannot be run 126`() throws {
        let program = try SpawnedProgram("keyfob")
        #expect(try program.run(["sandbox", "--", "no-such-command"]).status == 127)
        let refused = try program.run(["sandbox", "--", "/etc/passwd"])
        #expect(refused.status == 126)
        #expect(refused.errorText.contains("cannot run \"/etc/passwd\": EACCES"))
    }

    @Test func `The options of the command are its own, with and without the dashes`() throws {
        let program = try SpawnedProgram("keyfob")
        #expect(try program.run(["sandbox", "/bin/echo", "--locked", "--", "-x"]).outputText == "--locked -- -x\n")
        let dashed = try program.run(["sandbox", "--", "/bin/sh", "-c", "echo \"$1\"", "sh", "--help"])
        #expect(dashed.outputText == "--help\n")
    }

    @Test func `Every program in it has the access groups, the first is the default`() throws {
        let outcome = try SandboxRun.shell(
            """
            printf 1 | "$KEYFOB" set first
            printf 2 | "$KEYFOB" set second --group ACME.b
            printf 3 | "$KEYFOB" set third --group "user.$(id -un)"
            printf 4 | "$KEYFOB" set fourth --group ACME.c; echo $?
            "$KEYFOB" group list
            """, ["--group", "ACME.a", "--group", "ACME.b"])
        let lines = outcome.outputText.split(separator: "\n").map { $0.split(separator: " ").first.map(String.init) }
        #expect(lines.first == "\(ExitStatus.denied.rawValue)")
        #expect(lines.contains("ACME.a") && lines.contains("ACME.b") && !lines.contains("ACME.c"))
        #expect(outcome.outputText.contains("user."))
    }

    @Test func `A locked one waits for its PIN, which is in the file that the environment names`() throws {
        let outcome = try SandboxRun.shell(
            """
            "$KEYFOB" status | grep '^state'
            printf 1 | "$KEYFOB" set mail 2>/dev/null; echo $?
            "$KEYFOB" unlock --pin-source "$KEYFOB_SANDBOX_PIN_FILE"
            printf 1 | "$KEYFOB" set mail && "$KEYFOB" get mail
            """, ["--locked"])
        #expect(outcome.outputText == "state         before first unlock\n\(ExitStatus.locked.rawValue)\n1")
        #expect(outcome.status == 0)
    }

    @Test func `The PIN is in no argument and no environment`() throws {
        let outcome = try SandboxRun.shell(
            "cat \"$KEYFOB_SANDBOX_PIN_FILE\"; echo; cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'"
        )
        let lines = outcome.outputText.split(separator: "\n", maxSplits: 1)
        try #require(lines.count == 2 && lines[0].count == 32)
        #expect(lines[1].contains("--sandbox"))
        #expect(!lines[1].contains(lines[0]))
    }

    @Test func `The command has the umask and the variables of the caller, and no others than those of the sandbox`()
        throws
    {
        let program = try SandboxRun.program()
        let shell = try SpawnedProgram(
            path: "/bin/sh", environment: ["KEYFOB_EMBEDDED": "1", "KEYFOB_HOME": "/nowhere"])
        let outcome = try shell.run([
            "-c", "umask 027; exec \"$0\" sandbox -- sh -c 'umask; env' ", program,
        ])
        let lines = outcome.outputText.split(separator: "\n")
        #expect(lines.first == "0027")
        let names = lines.dropFirst().compactMap { $0.split(separator: "=").first }.filter { $0.hasPrefix("KEYFOB") }
        #expect(names.sorted() == ["KEYFOB_HOME", "KEYFOB_SANDBOX_PIN_FILE", "KEYFOB_SOCKET"])
        #expect(!outcome.outputText.contains("/nowhere"))
    }

    @Test func `Another kind of token is refused with the kinds that there are`() throws {
        let outcome = try SandboxRun.shell("true", ["--token", "tpm"])
        #expect(outcome.status == ExitStatus.usage.rawValue)
        #expect(outcome.errorText.contains("the kinds are: softhsm"))
        #expect(try SandboxRun.shell("exit 3", ["--token", "softhsm"]).status == 3)
    }

    @Test func `Without a keyfobd it says where it looked`() throws {
        var name = Array("/tmp/keyfob-alone-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&name) != nil)
        let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            unsafe unlink(folder + "/keyfob")
            unsafe rmdir(folder)
        }
        let copied = try LiveProgram(path: "/bin/cp", [try SandboxRun.program(), folder + "/keyfob"])
        try #require(copied.wait() == 0)
        let outcome = try SpawnedProgram(path: folder + "/keyfob").run(["sandbox", "--", "true"])
        #expect(outcome.status == ExitStatus.noDaemon.rawValue)
        #expect(outcome.errorText.contains("there is no keyfobd beside keyfob, nor in PATH"))
    }

    @Test(.timeLimit(.minutes(3))) func `Eight at once have a keychain each`() throws {
        let line = "read go; printf %s $$ | \"$KEYFOB\" set mail && \"$KEYFOB\" get mail; echo; exit 0"
        let all = try (0..<8).map { _ in try SandboxRun.start(line) }
        #expect(Set(all.map(\.folder)).count == 8)
        for one in all { one.program.proceed() }
        for one in all {
            #expect(one.program.line() == String(one.shell))
            #expect(one.program.wait() == 0)
            #expect(!SandboxRun.exists(one.folder))
        }
    }
}
