// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
internal import KeyfobMemory
package import KeyfobModel

extension ProcessStatus {
    /// This process as it is now.
    ///
    /// Reads `/proc`; a mask that cannot be read counts as 0, the worst there is.
    package static func current() -> ProcessStatus {
        let arena = SecretArena.shared
        return ProcessStatus(
            pid: getpid(), uid: geteuid(), version: Version.current, isDumpable: ProcessHardening.isDumpable,
            coreLimit: limit(RLIMIT_CORE), lockedBytes: arena.lockedBytes, unlockedBytes: arena.unlockedBytes,
            lockedMemoryLimit: limit(__RLIMIT_MEMLOCK), requiresLockedMemory: arena.policy == .require,
            umask: umaskOfProcess() ?? 0, hasNoNewPrivileges: keyfob_get_no_new_privileges() == 1,
            printsBacktraces: !isDefault(SIGSEGV))
    }

    private static func limit(_ resource: __rlimit_resource) -> UInt64 {
        var limit = rlimit()
        // Fails for a resource that does not exist, which these do.
        guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return 0 }
        return UInt64(limit.rlim_cur)
    }

    /// Without setting it, which other threads would see (proc(5), `Umask` in `/proc/self/status`).
    private static func umaskOfProcess() -> UInt32? {
        // No such file, or one of another form: the caller is told the worst.
        guard let file = try? Descriptor.open("/proc/self/status", O_RDONLY),
            let bytes = try? file.contents(limit: 65536)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("Umask:") }) else { return nil }
        return line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last.flatMap { UInt32($0, radix: 8) }
    }

    private static func isDefault(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
    }
}
