// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Synchronization
import Testing

@Suite(.lendsTokens) struct FirstUseTests {
    /// How many of the threads failed.
    private func failures(threads: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> Int {
        let failed = Atomic<Int>(0)
        Threads.run(threads) { number in
            do { try body(number) } catch { failed.add(1, ordering: .relaxed) }
        }
        return failed.load(ordering: .relaxed)
    }

    @Test func `Threads that use a class at once after an unlock all get its key`() throws {
        let keychain = try TestKeychain()
        for round in 0..<8 {
            try keychain.unlocked()
            let service = keychain.service()
            let failed = failures(threads: 16) { try service.add("mail", account: "\(round) \($0)") }
            #expect(failed == 0)
            try keychain.engine.lock()
        }
    }

    @Test func `The key of a class is copied once however many threads want it first`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        let before = keychain.engine.tokenCalls["C_CopyObject"] ?? 0
        _ = failures(threads: 16) { try service.add("mail", account: "\($0)") }
        #expect((keychain.engine.tokenCalls["C_CopyObject"] ?? 0) - before == 1)
    }
}
