// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

/// `keyfob sandbox`: a keychain, its token and its daemon for the life of one command.
///
/// ```
///   keyfob ---- command        in our process group, so that the terminal's keys and job control reach it
///     |  \
///     |   keyfobd --sandbox    in a session of its own; ends and removes the folder when the stream ends
///     +-- stream --^
/// ```
/// Who is left of the two removes the folder: the daemon at the end of the stream, we when the daemon is gone; if both
/// are killed at once, the next sandbox does (`SandboxFolder.sweep`).
struct Sandbox {
    /// Signals that a process sends to us and that are meant for the command.
    private static let passedOn = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    private let command: [String]
    private let groups: [String]
    private let isLocked: Bool
    private let console: Console

    /// - Throws: `Failure` with status `usage` for a kind of token that there is not, or an access group without a name.
    init(_ invocation: Invocation, _ console: Console) throws(Failure) {
        if let kind = invocation[.token], SandboxToken(rawValue: kind) == nil {
            throw Failure(
                .usage, "there is no sandbox with a token of kind \(Printable.quoted(kind))",
                hint: "the kinds are: \(SandboxToken.words)")
        }
        groups = invocation.all(.group)
        guard !groups.contains("") else {
            throw Failure(.usage, "--group ID: an access group has a name", hint: "keyfob help sandbox shows how")
        }
        command = invocation.operands
        isLocked = invocation.has(.locked)
        self.console = console
    }

    /// Runs the command in a new sandbox, and returns its status when everything is removed.
    ///
    /// - Throws: `Failure` if there is no sandbox, or the command cannot be run.
    func run() throws(Failure) -> ExitStatus {
        let mask = SignalMask.current()
        let signals = try Self.takeSignals()
        let folder: SandboxFolder
        do throws(KeychainError) { folder = try SandboxFolder.make() } catch { throw Failure(error) }
        defer { folder.removeOrSay() }
        try writePolicy(folder)
        let daemon = try SandboxDaemon(folder, isLocked: isLocked)
        defer { daemon.stop() }
        // While the daemon makes the keychain.
        SandboxFolder.sweep()
        if let signal = waitUntilReady(daemon, signals) { return ExitStatus(rawValue: 128 + signal) }
        try daemon.waitUntilReady()
        return ExitStatus(rawValue: try runCommand(folder, daemon, signals, mask))
    }

    private static func takeSignals() throws(Failure) -> SignalDescriptor {
        do throws(KeychainError) {
            return try SignalDescriptor.blocking(passedOn + [SIGCHLD])
        } catch {
            throw Failure(error)
        }
    }

    /// Gives every caller the access groups of the options.
    private func writePolicy(_ folder: SandboxFolder) throws(Failure) {
        guard !groups.isEmpty else { return }
        let rule = JSON.object([
            ("match", .object([])), ("keychain-access-groups", .array(groups.map { .string($0) })),
        ])
        let path = folder.home + "/access.d"
        do throws(KeychainError) {
            try PrivateFolder.create(path)
            do throws(PosixError) {
                let file = try Descriptor.open(path + "/sandbox.json", O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
                unsafe try file.write(Array((rule.text + "\n").utf8).span.bytes)
            } catch {
                throw KeychainError(error, .create, path: path)
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Waits until the daemon serves or has ended; the signal that broke the wait off, or nil.
    private func waitUntilReady(_ daemon: SandboxDaemon, _ signals: borrowing SignalDescriptor) -> Int32? {
        while true {
            var watched = [
                pollfd(fd: daemon.readyDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            _ = unsafe poll(&watched, nfds_t(watched.count), -1)
            while let signal = signals.next() { if signal != SIGCHLD { return signal } }
            if watched[0].revents != 0 { return nil }
        }
    }

    private func runCommand(
        _ folder: SandboxFolder, _ daemon: SandboxDaemon, _ signals: borrowing SignalDescriptor, _ mask: SignalMask
    ) throws(Failure) -> Int32 {
        let pid: Int32
        do throws(PosixError) {
            pid = try ProgramStart.command(
                command, mask: mask,
                (
                    ["KEYFOB_EMBEDDED"],
                    [
                        ("KEYFOB_HOME", folder.home), ("KEYFOB_SOCKET", folder.socket),
                        ("KEYFOB_SANDBOX_PIN_FILE", folder.pinFile),
                    ]
                ))
        } catch {
            let isMissing = error.errno == ENOENT || error.errno == ENOTDIR
            throw Failure(
                ExitStatus(rawValue: isMissing ? 127 : 126),
                "cannot run \(Printable.quoted(command[0])): \(CauseName.posix(error.errno)) (\(error.errno))")
        }
        return attend(pid, daemon, signals)
    }

    /// Passes signals on until the command ends; its status.
    private func attend(_ pid: Int32, _ daemon: SandboxDaemon, _ signals: borrowing SignalDescriptor) -> Int32 {
        var isDaemonGone = false
        while true {
            // A signal that came before the first look is not told again.
            let end = ProgramEnd.of(pid)
            if !isDaemonGone, let gone = daemon.checkEnd() {
                isDaemonGone = true
                let then = end == nil ? "; the command goes on" : " before the command did"
                console.talk("keyfob: warning: the sandbox's daemon ended (status \(gone.status))\(then)")
            }
            if let end { return end.status }
            Descriptor.wait(signals.rawValue, for: POLLIN)
            while let (signal, isFromKernel) = signals.nextWithOrigin() {
                // The terminal has sent its own to the whole process group.
                if signal != SIGCHLD, !isFromKernel { kill(pid, signal) }
            }
        }
    }
}
