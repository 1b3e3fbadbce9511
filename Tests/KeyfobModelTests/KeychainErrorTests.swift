// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import Testing

struct KeychainErrorTests {
    /// A memory error cannot be made by hand, so it is provoked: no machine has that much.
    private func memoryError() throws -> SecretMemoryError {
        try #require(throws: SecretMemoryError.self) { _ = try SecretBytes(count: 1 << 60) }
    }

    @Test func `Memory that cannot be had is out of memory and names the call`() throws {
        let error = KeychainError(try memoryError(), .add)
        #expect(error.code == .outOfMemory)
        #expect(error.operation == .add)
        #expect(error.cause == .posix(call: "mmap", errno: ENOMEM))
        #expect(error.remedy == nil)
    }

    @Test func `Memory that cannot be locked asks for a higher limit`() async {
        await #expect(processExitsWith: .success) {
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            precondition(unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none) == 0)
            // Root may lock beyond any limit.
            precondition(geteuid() != 0 || setuid(65534) == 0)
            let arena = SecretArena()
            arena.setPolicy(.require)
            do throws(SecretMemoryError) {
                _ = try SecretBytes(count: 1, arena: arena)
                preconditionFailure("unlocked memory was given out")
            } catch {
                let error = KeychainError(error, .unlock)
                precondition(error.code == .memoryNotLocked && error.remedy == .raiseLockedMemoryLimit)
            }
        }
    }

    @Test func `Errors are equal when all they say is equal`() {
        let error = KeychainError(.pinIncorrect, .unlock, remedy: .enterCorrectPIN(triesLeft: .few))
        #expect(error == KeychainError(.pinIncorrect, .unlock, remedy: .enterCorrectPIN(triesLeft: .few)))
        #expect(error != KeychainError(.pinIncorrect, .unlock, remedy: .enterCorrectPIN(triesLeft: .one)))
    }
}
