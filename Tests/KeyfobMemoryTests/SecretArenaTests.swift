// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import Testing

struct SecretArenaTests {
    @Test(arguments: [1, 100, 1000, 4096, 10_000])
    func `Secret memory is locked and left out of core dumps`(count: Int) throws {
        let secret = try SecretBytes(count: count, arena: SecretArena())
        let flags = mappingFlags(address(of: secret))
        #expect(flags.contains("lo"))
        #expect(flags.contains("dd"))
    }

    @Test func `Locked memory of the process grows by a region`() async {
        await #expect(processExitsWith: .success) {
            let before = lockedKilobytes()
            let secret = try SecretBytes(count: 64, arena: SecretArena())
            let after = lockedKilobytes()
            precondition(before >= 0 && after - before == 64, "\(before) KiB became \(after) KiB")
            _ = consume secret
        }
    }

    @Test func `The arena counts what it locked`() throws {
        let arena = SecretArena()
        #expect(arena.lockedBytes == 0)
        let small = try SecretBytes(count: 1, arena: arena)
        #expect(arena.lockedBytes == 65536)
        do {
            let large = try SecretBytes(count: 5000, arena: arena)
            #expect(arena.lockedBytes == 65536 + 8192)
            _ = consume large
        }
        #expect(arena.lockedBytes == 65536)
        #expect(arena.unlockedBytes == 0)
        _ = consume small
    }

    @Test func `A region serves all secrets of its size before there is a second`() throws {
        let arena = SecretArena()
        let slots = try (0..<1024).map { _ in try arena.allocate(64) }
        #expect(arena.lockedBytes == 65536)
        let next = try arena.allocate(64)
        #expect(arena.lockedBytes == 2 * 65536)
        let places = slots.map { unsafe UInt(bitPattern: $0.address) }
        #expect(Set(places).count == 1024)
        for slot in slots + [next] { arena.release(slot) }
    }

    @Test func `The page before the first slot cannot be read`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let secret = try SecretBytes(count: 64, arena: SecretArena())
            _ = peek(address(of: secret) - 1, 1)
        }
    }

    @Test func `The page after the last slot cannot be written`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let secret = try SecretBytes(count: 64, arena: SecretArena())
            poke(address(of: secret) + 65535, 1)
            poke(address(of: secret) + 65536, 1)
        }
    }

    @Test func `The pages around a large secret cannot be read`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            signal(SIGSEGV, SIG_DFL)
            let secret = try SecretBytes(count: 5000, arena: SecretArena())
            _ = peek(address(of: secret) + 8192, 1)
        }
    }

    @Test func `Without the right to lock, a required lock is an error that names mlock`() async {
        await #expect(processExitsWith: .success) {
            forbidLockingMemory()
            let arena = SecretArena()
            arena.setPolicy(.require)
            do throws(SecretMemoryError) {
                _ = try SecretBytes(count: 64, arena: arena)
                preconditionFailure("unlocked memory was given out")
            } catch {
                precondition(error.name == "mlock" && [ENOMEM, EPERM].contains(error.errno), "\(error)")
            }
            precondition(arena.lockedBytes == 0 && arena.unlockedBytes == 0, "a refused region is counted")
        }
    }

    @Test func `Without the right to lock, a preferred lock is counted as missing`() async {
        await #expect(processExitsWith: .success) {
            forbidLockingMemory()
            let arena = SecretArena()
            let secret = try SecretBytes(copying: [1, 2, 3], arena: arena)
            precondition(secret.count == 3)
            precondition(arena.lockedBytes == 0 && arena.unlockedBytes == 65536, "the region is not counted")
        }
    }
}
