// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
internal import Synchronization

/// Memory for secrets: locked, left out of core dumps and of forked children, fenced by guard pages and wiped when it is
/// given back.
///
/// ```
///   guard | slot slot slot ... slot | guard      one region of 64 KiB a size class
///   guard | one large secret        | guard      a mapping of its own above 4 KiB
/// ```
///
/// Slots are never `malloc` memory: `mlock` works on pages and does not nest, so unlocking one secret would unlock
/// the others that share its page. A region stays mapped once made; a large mapping goes with its secret.
///
/// All members may be called from any thread; they block only for the system calls of a new region.
package final class SecretArena: Sendable {
    /// What happens when the kernel refuses to lock a page (`RLIMIT_MEMLOCK`).
    package enum LockPolicy: Sendable {
        /// The secret goes into unlocked memory; `unlockedBytes` tells.
        case prefer
        /// Allocation throws.
        case require
    }

    /// A piece of the arena that one owner holds.
    @safe package struct Slot: @unchecked Sendable {
        // @unchecked: the address is only handed out to the one owner of the slot, who is `~Copyable`.
        /// Where the slot begins.
        package let address: UnsafeMutableRawPointer
        /// Usable bytes from `address` on; all of them are wiped on release.
        package let capacity: Int
        /// Whether the kernel keeps the slot in RAM.
        package let isLocked: Bool

        package init(address: UnsafeMutableRawPointer, capacity: Int, isLocked: Bool) {
            unsafe self.address = address
            self.capacity = capacity
            self.isLocked = isLocked
        }
    }

    private struct State {
        var policy = LockPolicy.prefer
        var free: [[Slot]] = Array(repeating: [], count: SecretArena.classes.count)
        var lockedBytes = 0
        var unlockedBytes = 0
    }

    /// The arena of the process.
    package static let shared = SecretArena()

    private static let classes = [64, 256, 1024, 4096]
    private static let regionSize = 65536
    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    private let state = Mutex(State())

    package init() {}

    /// Says what happens from now on when memory cannot be locked; `.prefer` at first.
    package func setPolicy(_ policy: LockPolicy) {
        state.withLock { $0.policy = policy }
    }

    /// What happens when memory cannot be locked.
    package var policy: LockPolicy { state.withLock { $0.policy } }

    /// Bytes of the arena that are locked into RAM, free slots included.
    package var lockedBytes: Int { state.withLock { $0.lockedBytes } }

    /// Bytes of the arena that the kernel refused to lock; 0 in good order.
    package var unlockedBytes: Int { state.withLock { $0.unlockedBytes } }

    /// A zero-filled slot of at least `count` bytes.
    ///
    /// - Throws: `SecretMemoryError` if no page can be had, or none can be locked and the policy requires it.
    package func allocate(_ count: Int) throws(SecretMemoryError) -> Slot {
        precondition(count >= 0, "a secret has no negative size")
        guard let sizeClass = Self.classes.firstIndex(where: { $0 >= count }) else {
            return try map(count)
        }
        if let slot = state.withLock({ $0.free[sizeClass].popLast() }) { return slot }
        let region = try map(Self.regionSize)
        let size = Self.classes[sizeClass]
        return state.withLock { state in
            for offset in stride(from: size, to: Self.regionSize, by: size) {
                unsafe state.free[sizeClass].append(
                    Slot(address: region.address + offset, capacity: size, isLocked: region.isLocked))
            }
            return unsafe Slot(address: region.address, capacity: size, isLocked: region.isLocked)
        }
    }

    /// Wipes the whole slot and takes it back; the owner must not touch it again.
    package func release(_ slot: Slot) {
        unsafe keyfob_zeroise(slot.address, slot.capacity)
        if let sizeClass = Self.classes.firstIndex(of: slot.capacity) {
            state.withLock { $0.free[sizeClass].append(slot) }
        } else {
            unmap(slot)
        }
    }

    // MARK: - Mappings

    private func map(_ count: Int) throws(SecretMemoryError) -> Slot {
        let page = Self.pageSize
        let inner = (count + page - 1) / page * page
        let whole = inner + 2 * page
        let base = unsafe mmap(nil, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let base = unsafe base, unsafe base != MAP_FAILED else {
            throw SecretMemoryError(call: "mmap", errno: Glibc.errno)
        }
        let start = unsafe base + page
        guard unsafe mprotect(start, inner, PROT_READ | PROT_WRITE) == 0 else {
            let error = SecretMemoryError(call: "mprotect", errno: Glibc.errno)
            unsafe munmap(base, whole)
            throw error
        }
        unsafe madvise(start, inner, MADV_DONTDUMP)
        // A forked child finds zeros: it has no business with its parent's secrets.
        unsafe madvise(start, inner, MADV_WIPEONFORK)
        let locked = unsafe mlock(start, inner) == 0
        let lockErrno = Glibc.errno
        let refused = state.withLock { state in
            if !locked && state.policy == .require { return true }
            if locked { state.lockedBytes += inner } else { state.unlockedBytes += inner }
            return false
        }
        guard !refused else {
            unsafe munmap(base, whole)
            throw SecretMemoryError(call: "mlock", errno: lockErrno)
        }
        return unsafe Slot(address: start, capacity: inner, isLocked: locked)
    }

    private func unmap(_ slot: Slot) {
        let page = Self.pageSize
        state.withLock { state in
            if slot.isLocked { state.lockedBytes -= slot.capacity } else { state.unlockedBytes -= slot.capacity }
        }
        unsafe munmap(slot.address - page, slot.capacity + 2 * page)
    }
}
