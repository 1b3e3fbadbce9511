// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobPlatform
import Testing

struct ProcessHardeningTests {
    /// A field of `/proc/self/status`.
    private static func status(_ name: String) -> String {
        let line = contents("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.map { String($0.dropFirst(name.count + 1).drop { $0 == "\t" }) } ?? ""
    }

    /// Soft and hard limit of core files.
    private static func coreLimits() -> [UInt] {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        return [limit.rlim_cur, limit.rlim_max]
    }

    private static let crashes = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS]

    private static func catchSignal(_ number: Int32) { signal(number) { _ in } }

    private static func isCaught(_ signal: Int32) -> Bool {
        (UInt64(status("SigCgt"), radix: 16) ?? 0) >> UInt64(signal - 1) & 1 == 1
    }

    @Test func `After hardening the process cannot be dumped and new files are private`() async {
        await #expect(processExitsWith: .success) {
            precondition(ProcessHardening.isDumpable, "nothing to show")
            try ProcessHardening.apply()
            precondition(!ProcessHardening.isDumpable)
            precondition(Self.status("Umask") == "0077", Self.status("Umask"))
            precondition(Self.coreLimits() == [0, 0])
        }
    }

    @Test func `After hardening no crash signal has a handler`() async {
        await #expect(processExitsWith: .success) {
            for signal in Self.crashes + [SIGUSR1] { Self.catchSignal(signal) }
            precondition(Self.crashes.allSatisfy { Self.isCaught($0) }, "nothing to show")
            try ProcessHardening.apply()
            precondition(!Self.crashes.contains { Self.isCaught($0) })
            precondition(Self.isCaught(SIGUSR1), "a signal that is no crash")
        }
    }

    @Test func `The process stays able to say who it is`() async {
        await #expect(processExitsWith: .success) {
            try ProcessHardening.apply()
            precondition(Caller.current().executable != nil)
            precondition(!Self.status("Uid").isEmpty)
        }
    }
}
