// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Turns the signals that end or stop a program into bytes on a socket, for the time a prompt is open.
///
/// A signal may be delivered to any thread, so interrupting a `read` cannot be relied on; a socket beside the terminal in
/// one `poll` can. There is one watch at a time in a process: `TerminalPrompt` sees to that.
struct SignalWatch {
    /// Signals of the keyboard and of the end of a session.
    ///
    /// One that is ignored stays ignored.
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

    private static let target = Atomic<Int32>(-1)

    /// Becomes readable when a signal came.
    let readEnd: Int32
    private let writeEnd: Int32
    private var former: [(signal: Int32, action: sigaction)] = []

    /// Begins; `end` must follow.
    static func begin() throws(PosixError) -> SignalWatch {
        let ends = try Descriptor.socketPair(flags: Int32(SOCK_NONBLOCK.rawValue))
        var watch = SignalWatch(readEnd: ends.0, writeEnd: ends.1)
        target.store(ends.1, ordering: .releasing)
        for signal in signals { watch.take(signal) }
        return watch
    }

    /// Gives every signal back to whom it belonged, and says which came first, or nil.
    func end() -> Int32? {
        for (signal, action) in former {
            var action = action
            // It was accepted once.
            _ = unsafe sigaction(signal, &action, nil)
        }
        Self.target.store(-1, ordering: .releasing)
        var signal: UInt8 = 0
        let count = unsafe read(readEnd, &signal, 1)
        close(readEnd)
        close(writeEnd)
        return count == 1 ? Int32(signal) : nil
    }

    /// Raises a signal that a watch has kept back, and returns when it has had its effect.
    ///
    /// Threads of libdispatch block most signals; this one takes it all the same.
    static func deliver(_ signal: Int32) {
        var only = sigset_t()
        var former = sigset_t()
        unsafe sigemptyset(&only)
        unsafe sigaddset(&only, signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &only, &former)
        raise(signal)
        unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
    }

    private init(readEnd: Int32, writeEnd: Int32) {
        self.readEnd = readEnd
        self.writeEnd = writeEnd
    }

    private mutating func take(_ signal: Int32) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { signal in
            // In a signal handler: a load, a write and nothing else.
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: signal)
            _ = unsafe write(SignalWatch.target.load(ordering: .acquiring), &byte, 1)
            errno = saved
        }
        var old = sigaction()
        guard unsafe sigaction(signal, nil, &old) == 0, !isIgnored(old) else { return }
        if unsafe sigaction(signal, &action, nil) == 0 { former.append((signal, old)) }
    }

    private func isIgnored(_ action: sigaction) -> Bool {
        unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
