// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobEngine
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobSystemd

/// How much secret memory the daemon may keep in RAM.
package enum LockedMemory {
    /// What a daemon needs to serve a few programs at a time, in bytes; a unit should allow more (`LimitMEMLOCK=`).
    package static let minimum = 4 * 1024 * 1024

    /// Raises the limit as far as the process may, and opens the keychain; in system mode secret memory has to be locked
    /// unless `config.json` says `"locked-memory": "prefer"`.
    ///
    /// - Throws: as `KeychainEngine.open`; `.memoryNotLocked` if `minimum` has to be locked and cannot be.
    package static func openEngine(
        _ settings: DaemonSettings, patience: Double = 0
    ) throws(KeychainError) -> KeychainEngine {
        raiseLimit()
        let engine = try KeychainEngine.open(
            settings.home, patience: patience, lockedMemory: settings.mode == .system ? .require : .prefer,
            policies: settings.policyFolders,
            audit: AuditPlan(standard: .on, sink: JournalAuditSink()))
        guard SecretArena.shared.policy == .require else { return engine }
        do throws(KeychainError) {
            try verify(minimum)
        } catch {
            engine.close()
            throw error
        }
        return engine
    }

    /// Makes the soft limit the hard one.
    static func raiseLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        // Refused, the limit stays as it is; `verify` finds out whether that is enough.
        _ = unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
    }

    /// Locks so many bytes for a moment: the limit does not bind everybody, so it cannot simply be read.
    ///
    /// - Throws: `.memoryNotLocked` with the limit and what is needed; `.outOfMemory`.
    static func verify(_ count: Int) throws(KeychainError) {
        let memory = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw KeychainError(.outOfMemory, .serve, cause: .posix(call: "mmap", errno: errno))
        }
        defer { unsafe munmap(memory, count) }
        guard unsafe mlock(memory, count) != 0 else { return }
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
        throw KeychainError(
            .memoryNotLocked, .serve, subject: .parameter("RLIMIT_MEMLOCK"),
            cause: .format(
                place: "RLIMIT_MEMLOCK",
                fault:
                    "\(limit.rlim_cur) bytes may be locked in all, and \(count) more are needed; \"locked-memory\": \"prefer\" in "
                    + "config.json goes on without"),
            remedy: .raiseLockedMemoryLimit)
    }
}
