// SPDX-License-Identifier: Apache-2.0

/// How well the process that has a keychain open keeps its memory to itself.
package struct ProcessStatus: Hashable, Sendable {
    package let pid: Int32
    package let uid: UInt32
    /// The version of Keyfob that it runs.
    package let version: String
    /// Whether another process of the same user may read its memory or attach to it (`PR_GET_DUMPABLE`).
    package let isDumpable: Bool
    /// The most bytes of a core file (`RLIMIT_CORE`); 0: none is written.
    package let coreLimit: UInt64
    /// Bytes of secret memory that stay in RAM.
    package let lockedBytes: Int
    /// Bytes of secret memory that the kernel refused to keep in RAM; 0 in good order.
    package let unlockedBytes: Int
    /// How many bytes it may lock (`RLIMIT_MEMLOCK`); the greatest number: no limit.
    package let lockedMemoryLimit: UInt64
    /// Whether a secret that cannot be locked is refused instead of being held in ordinary memory.
    package let requiresLockedMemory: Bool
    /// The rights that new files do not get.
    package let umask: UInt32
    /// Whether it can gain no rights by running another program (`PR_GET_NO_NEW_PRIVS`).
    package let hasNoNewPrivileges: Bool
    /// Whether the Swift runtime prints memory when it crashes.
    package let printsBacktraces: Bool

    package init(
        pid: Int32, uid: UInt32, version: String, isDumpable: Bool, coreLimit: UInt64, lockedBytes: Int,
        unlockedBytes: Int, lockedMemoryLimit: UInt64, requiresLockedMemory: Bool, umask: UInt32,
        hasNoNewPrivileges: Bool, printsBacktraces: Bool
    ) {
        self.pid = pid
        self.uid = uid
        self.version = version
        self.isDumpable = isDumpable
        self.coreLimit = coreLimit
        self.lockedBytes = lockedBytes
        self.unlockedBytes = unlockedBytes
        self.lockedMemoryLimit = lockedMemoryLimit
        self.requiresLockedMemory = requiresLockedMemory
        self.umask = umask
        self.hasNoNewPrivileges = hasNoNewPrivileges
        self.printsBacktraces = printsBacktraces
    }
}
