// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Synchronization
import Testing

@testable import KeyfobStore

private let refusal = KeychainError(.notAvailable, .add)

/// Holds the leader inside its body until `count` more writers are queued behind it, so that they form one group.
private func afterQueueing(
    _ count: Int, _ store: ItemStore, follower: @escaping @Sendable (Int) -> Void
) {
    let inside = Gate()
    let done = Gate()
    let isFirstRun = Mutex(true)
    startThread {
        // An empty body has no error; it may run again when the group loses its transaction, and then waits for nobody.
        _ = try? store.write { (_) throws(KeychainError) in
            guard isFirstRun.withLock({ takeTrue(&$0) }) else { return }
            inside.open()
            while store.waitingWriters < count { yieldThread() }
        }
        done.open()
    }
    inside.pass()
    inParallel(count, follower)
    done.pass()
}

/// Makes it false; what it was.
private func takeTrue(_ flag: inout Bool) -> Bool {
    defer { flag = false }
    return flag
}

struct GroupCommitTests {
    @Test func `Writers that wait for a commit are committed together`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        let failures = Mutex(0)
        let before = store.commitCount
        afterQueueing(8, store) { writer in
            do { try store.add(quickItem(writer)) } catch { failures.withLock { $0 += 1 } }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(try store.count(ItemSelection(scopes: [1])) == 8)
        #expect(store.commitCount - before <= 2)
    }

    @Test func `A body that throws in a group takes back its own work only`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        let refused = Mutex<Set<Int>>([])
        afterQueueing(9, store) { writer in
            do {
                try store.write(.add) { (transaction) throws(KeychainError) in
                    _ = try transaction.insert(quickItem(writer))
                    if writer % 3 == 0 { throw refusal }
                }
            } catch {
                _ = refused.withLock { $0.insert(writer) }
            }
        }
        #expect(refused.withLock { $0 } == [0, 3, 6])
        let kept = try store.select(ItemSelection(scopes: [1]), withValues: false).map(\.uuid)
        #expect(Set(kept) == Set([1, 2, 4, 5, 7, 8].map(uuid)))
    }

    @Test func `A leader whose body throws leaves no waiter behind`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        let inside = Gate()
        let outcome = Mutex<KeychainError?>(nil)
        startThread {
            do throws(KeychainError) {
                try store.write { (_) throws(KeychainError) in
                    inside.open()
                    while store.waitingWriters < 4 { yieldThread() }
                    throw refusal
                }
            } catch {
                outcome.withLock { $0 = error }
            }
        }
        inside.pass()
        let failures = Mutex(0)
        inParallel(4) { writer in
            do { try store.add(quickItem(writer)) } catch { failures.withLock { $0 += 1 } }
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(try store.count(ItemSelection(scopes: [1])) == 4)
    }

    @Test func `A large write is committed by itself`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        let before = store.commitCount
        afterQueueing(3, store) { writer in
            // Counted below by what is in the store.
            _ = try? store.write(.add, alone: true) { (transaction) throws(KeychainError) in
                _ = try transaction.insert(quickItem(writer))
            }
        }
        #expect(try store.count(ItemSelection(scopes: [1])) == 3)
        #expect(store.commitCount - before == 4)
    }

    @Test func `When the disk fills up each writer of a group gets its own verdict`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        try store.limitPages(to: 60)
        let failed = Mutex<[Int: KeychainError.Code]>([:])
        afterQueueing(5, store) { writer in
            var new = quickItem(writer)
            if writer == 2 { new.value = [UInt8](repeating: 1, count: 1 << 20) }
            do throws(KeychainError) { try store.add(new) } catch { failed.withLock { $0[writer] = error.code } }
        }
        #expect(failed.withLock { $0 } == [2: .diskFull])
        #expect(try store.count(ItemSelection(scopes: [1])) == 4)
        #expect(try store.integrityFaults() == [])
    }

    @Test func `A write inside the body of a write is refused instead of waiting for itself`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        let error = #expect(throws: KeychainError.self) {
            try store.write { (_) throws(KeychainError) in _ = try store.add(quickItem(1)) }
        }
        #expect(error?.code == .internalError)
        try store.add(quickItem(2))
    }

    @Test func `After close a write is refused`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        store.close()
        #expect(throws: KeychainError.self) { try store.add(quickItem(1)) }
        #expect(throws: KeychainError.self) { try store.classKeys() }
    }

    @Test func `A body that swallows the error of a full disk is not committed in part`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        try store.limitPages(to: 60)
        let error = #expect(throws: KeychainError.self) {
            try store.write { (transaction) throws(KeychainError) in
                _ = try transaction.insert(quickItem(1))
                var large = quickItem(2)
                large.value = [UInt8](repeating: 1, count: 1 << 20)
                // What a careless caller does.
                _ = try? transaction.insert(large)
            }
        }
        #expect(error?.code == .internalError)
        #expect(try store.count(ItemSelection(scopes: [1])) == 0)
    }
}
