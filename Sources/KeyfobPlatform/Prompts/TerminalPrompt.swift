// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobMemory
package import KeyfobModel
internal import Synchronization

/// Asks at the controlling terminal, without echo, whatever standard input and output are.
package struct TerminalPrompt: Sendable {
    /// The most bytes of an entry.
    package static let limit = 1024

    /// One question at a time in a process; held while a person types, which is what it is for.
    private static let turn = Mutex(())

    private let path: String
    private let echoes: Bool

    /// - Parameters:
    ///   - path: the terminal; a test's own.
    ///   - echoes: whether what is typed is shown: for what is no secret.
    package init(path: String = "/dev/tty", echoes: Bool = false) {
        self.path = path
        self.echoes = echoes
    }

    /// Whether there is a terminal.
    package var isAvailable: Bool {
        // Why it cannot be opened does not matter here.
        (try? Descriptor.open(path, O_RDWR | O_NOCTTY)) != nil
    }

    /// The line that the person types, without its newline.
    ///
    /// Echo is off, unless told otherwise, while it is typed and as before afterwards, also after a throw and when SIGINT, SIGTERM, SIGHUP,
    /// SIGQUIT or SIGTSTP comes; the signal is then raised again for whom it was meant. After a stop the question comes
    /// again. Blocks until the person has answered.
    ///
    /// - Throws: `.pinNotGiven` without a terminal; `.canceled` at the end of input, after a signal, and if the terminal
    ///   goes away; `.pinLength` above `limit` bytes; `.inputOutput`, and the errors of memory.
    package func read(_ prompt: PINPrompt) throws(KeychainError) -> SecretBytes {
        try Self.turn.withLock { _ throws(KeychainError) in try readInTurn(prompt) }
    }

    private func readInTurn(_ prompt: PINPrompt) throws(KeychainError) -> SecretBytes {
        let terminal: Descriptor
        do {
            terminal = try Descriptor.open(path, O_RDWR | O_NOCTTY)
        } catch {
            throw KeychainError(
                .pinNotGiven, .prompt, subject: .path(path), cause: .posix(call: error.call, errno: error.errno))
        }
        while true {
            switch try ask(prompt, at: terminal) {
            case .line(let secret):
                return secret
            case .interrupted(let signal):
                SignalWatch.deliver(signal)
                guard signal == SIGTSTP else { throw KeychainError(.canceled, .prompt) }
            }
        }
    }

    private enum Answer: ~Copyable {
        case line(SecretBytes)
        case interrupted(signal: Int32)
    }

    private func ask(_ prompt: PINPrompt, at terminal: borrowing Descriptor) throws(KeychainError) -> Answer {
        let watch = try posix { () throws(PosixError) in try SignalWatch.begin() }
        var signal: Int32?
        let secret = try withoutEcho(terminal, ending: { signal = watch.end() }) { () throws(KeychainError) in
            try show(prompt, at: terminal)
            return try readLine(terminal, watch)
        }
        if let signal { return .interrupted(signal: signal) }
        guard let secret else { throw KeychainError(.canceled, .prompt) }
        return .line(secret)
    }

    private func withoutEcho<R: ~Copyable>(
        _ terminal: borrowing Descriptor, ending: () -> Void, _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        defer { ending() }
        var former = termios()
        guard unsafe tcgetattr(terminal.rawValue, &former) == 0 else { throw failed("tcgetattr") }
        var quiet = former
        if !echoes { quiet.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
        quiet.c_lflag |= tcflag_t(ICANON | ISIG)
        guard unsafe tcsetattr(terminal.rawValue, TCSAFLUSH, &quiet) == 0 else { throw failed("tcsetattr") }
        defer {
            // Of a terminal that has gone nothing can be restored.
            _ = unsafe tcsetattr(terminal.rawValue, TCSAFLUSH, &former)
            // The person's own newline was not shown.
            if !echoes { unsafe try? terminal.write([UInt8(ascii: "\n")].span.bytes) }
        }
        return try body()
    }

    private func show(_ prompt: PINPrompt, at terminal: borrowing Descriptor) throws(KeychainError) {
        let lines = [prompt.error, prompt.description].compactMap { $0 }.filter { !$0.isEmpty }.map { $0 + "\n" }
        let text = Array((lines.joined() + prompt.label + ": ").utf8)
        try posix { () throws(PosixError) in unsafe try terminal.write(text.span.bytes) }
    }

    /// The line, or nil at the end of input or after a signal.
    private func readLine(
        _ terminal: borrowing Descriptor, _ watch: SignalWatch
    ) throws(KeychainError) -> SecretBytes? {
        // One byte for the newline, one to see that there is more.
        var line = try SecretBytes.zeros(Self.limit + 2, .prompt)
        var count = 0
        while count < line.count {
            var both = [
                pollfd(fd: watch.readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: terminal.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&both, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                throw failed("poll")
            }
            if both[0].revents != 0 { return nil }
            let part = try line.fill(from: terminal, at: count, path: path, .prompt)
            count += part
            // The end of input (Control-D) gives what was typed before it, if anything.
            if part == 0 && count == 0 { return nil }
            if part == 0 || line.endsLine(at: count) { break }
        }
        line.truncate(to: count)
        line.dropNewline()
        guard line.count <= Self.limit else {
            throw KeychainError(
                .pinLength, .prompt, subject: .path(path), remedy: .choosePINLength(minimum: 1, maximum: Self.limit))
        }
        return line
    }

    private func posix<R>(_ body: () throws(PosixError) -> R) throws(KeychainError) -> R {
        do { return try body() } catch { throw KeychainError(error, .prompt, path: path) }
    }

    private func failed(_ call: String) -> KeychainError {
        KeychainError(.last(call), .prompt, path: path)
    }
}
