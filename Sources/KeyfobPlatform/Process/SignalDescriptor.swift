// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
package import KeyfobModel

/// Signals as bytes of a descriptor: no handler runs, and no thread is interrupted (signalfd(2)).
package struct SignalDescriptor: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// What `poll` watches.
    package var rawValue: Int32 { descriptor.rawValue }

    /// Blocks the signals in this thread, and so in those that it starts later: call it before the first.
    ///
    /// Blocked signals reach process 1 of a container too, which the kernel protects from all others that have no
    /// handler.
    ///
    /// - Throws: `.internalError` if the kernel refuses.
    package static func blocking(_ signals: [Int32]) throws(KeychainError) -> SignalDescriptor {
        var set = Self.set(signals)
        guard unsafe pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else { throw failed("pthread_sigmask") }
        let descriptor = unsafe keyfob_signal_descriptor(&set)
        guard descriptor >= 0 else { throw failed("signalfd") }
        return SignalDescriptor(descriptor: Descriptor(owning: descriptor))
    }

    /// The next signal that came, or nil: none waits.
    package func next() -> Int32? {
        let signal = keyfob_next_signal(rawValue)
        return signal > 0 ? signal : nil
    }

    /// The next signal and whether the kernel sent it (a key of the terminal, the terminal's end) and no process did; nil:
    /// none waits.
    package func nextWithOrigin() -> (signal: Int32, isFromKernel: Bool)? {
        var fromKernel: Int32 = 0
        let signal = unsafe keyfob_next_signal_from(rawValue, &fromKernel)
        return signal > 0 ? (signal, fromKernel != 0) : nil
    }

    /// Lets one more of the signals end the process at once, without any cleaning up.
    ///
    /// The status is that of a process which the signal ended; process 1 cannot be ended so and exits with 128 and the
    /// signal's number.
    package static func endAtOnce(on signals: [Int32]) {
        var action = sigaction()
        if getpid() == 1 {
            unsafe action.__sigaction_handler.sa_handler = { _exit(128 + $0) }
        } else {
            unsafe action.__sigaction_handler.sa_handler = SIG_DFL
        }
        // What is refused here leaves the signal blocked: the orderly stop goes on.
        for signal in signals { _ = unsafe sigaction(signal, &action, nil) }
        var set = Self.set(signals)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }

    private static func failed(_ call: String) -> KeychainError {
        KeychainError(.internalError, .serve, cause: .posix(call: call, errno: errno))
    }
}
