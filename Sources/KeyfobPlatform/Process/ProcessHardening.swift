// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
package import KeyfobModel

/// What a program of ours does first, so that no other process and no crash shows its memory.
package enum ProcessHardening {
    /// The signals whose handlers the Swift runtime may have set to print a backtrace, registers and memory.
    private static let crashSignals = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS]

    /// Makes the process undumpable and untraceable by its own user, forbids core files, takes group and others their
    /// rights on new files, and gives the crash signals back to the kernel.
    ///
    /// A file that may grow no more (`RLIMIT_FSIZE`) becomes an error of the write instead of a signal that ends the
    /// program.
    ///
    /// For programs, not for libraries: it changes the whole process. Call it before any secret is read.
    ///
    /// - Throws: `.internalError` if the kernel refuses.
    package static func apply() throws(KeychainError) {
        umask(0o077)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else { throw failed("setrlimit") }
        guard keyfob_set_dumpable(0) == 0 else { throw failed("prctl") }
        var standard = sigaction()
        unsafe standard.__sigaction_handler.sa_handler = SIG_DFL
        for signal in crashSignals {
            guard unsafe sigaction(signal, &standard, nil) == 0 else { throw failed("sigaction") }
        }
        var ignored = sigaction()
        unsafe ignored.__sigaction_handler.sa_handler = SIG_IGN
        guard unsafe sigaction(SIGXFSZ, &ignored, nil) == 0 else { throw failed("sigaction") }
    }

    /// Forbids the process and its children to gain rights by running a program (`PR_SET_NO_NEW_PRIVS`); for services.
    ///
    /// - Throws: `.internalError` if the kernel refuses.
    package static func forbidNewPrivileges() throws(KeychainError) {
        guard keyfob_set_no_new_privileges() == 0 else { throw failed("prctl") }
    }

    /// Makes writing to a socket or pipe that nobody reads an error (`EPIPE`) instead of the end of the program.
    ///
    /// - Throws: `.internalError` if the kernel refuses.
    package static func ignoreBrokenPipes() throws(KeychainError) {
        var ignored = sigaction()
        unsafe ignored.__sigaction_handler.sa_handler = SIG_IGN
        guard unsafe sigaction(SIGPIPE, &ignored, nil) == 0 else { throw failed("sigaction") }
    }

    /// Whether another process of the same user may read this one's memory (`PR_GET_DUMPABLE`).
    package static var isDumpable: Bool { keyfob_get_dumpable() != 0 }

    private static func failed(_ call: String) -> KeychainError {
        KeychainError(.internalError, .configure, cause: .posix(call: call, errno: errno))
    }
}
