// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import Testing

@testable import KeyfobStore

/// A child process adds items from several threads and writes each acknowledged number to a file; one of its threads
/// kills it with SIGKILL at a random moment.
///
/// The parent then opens what is left.
struct KillTests {
    @Test(arguments: 0..<25)
    func `Every acknowledged item survives a kill at a random moment`(_: Int) async throws {
        let folder = try ScratchFolder()
        let path = folder.path
        let pause = UInt32.random(in: 1_000..<60_000)
        try makeStore(folder).close()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, pause = pause as UInt32] in
            try KillTests.addUntilKilled(path, after: pause)
        }
        let acknowledged = try KillTests.acknowledged(path)
        let store = try ItemStore.open(path + "/store.db")
        let kept = Set(try store.select(ItemSelection(scopes: [1]), withValues: false).map(\.id))
        #expect(acknowledged.subtracting(kept).isEmpty, "lost after a kill at \(pause) us")
        #expect(try store.integrityFaults() == [])
    }

    @Test func `A kill while many are deleted leaves all of them or none`() async throws {
        let folder = try ScratchFolder()
        let path = folder.path
        let store = try makeStore(folder)
        _ = try store.write { (transaction) throws(KeychainError) in
            for number in 0..<3000 { _ = try transaction.insert(quickItem(number)) }
        }
        store.close()
        let pause = UInt32.random(in: 100..<30_000)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, pause = pause as UInt32] in
            let store = try ItemStore.open(path + "/store.db")
            killSoon(pause)
            let ids = try store.select(ItemSelection(scopes: [1]), withValues: false).map(\.id)
            _ = try store.write(.delete, alone: true) { (transaction) throws(KeychainError) in
                try transaction.delete(ids)
            }
            store.close()
            while true { pause_() }
        }
        let left = try ItemStore.open(path + "/store.db")
        let count = try left.count(ItemSelection(scopes: [1]))
        #expect(count == 0 || count == 3000)
        #expect(try left.integrityFaults() == [])
    }

    private static func addUntilKilled(_ path: String, after pause: UInt32) throws {
        let store = try ItemStore.open(path + "/store.db")
        let log = unsafe open(path + "/acknowledged", O_CREAT | O_WRONLY | O_APPEND, 0o600)
        killSoon(pause)
        inParallel(4) { writer in
            for number in 0... {
                guard let id = try? store.add(quickItem(writer * 1_000_000 + number)) else { exit(1) }
                var bytes = id
                guard unsafe write(log, &bytes, 8) == 8 else { exit(2) }
            }
        }
    }

    private static func acknowledged(_ path: String) throws -> Set<Int64> {
        let file = unsafe open(path + "/acknowledged", O_RDONLY)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var found: Set<Int64> = []
        var id: Int64 = 0
        while unsafe read(file, &id, 8) == 8 { found.insert(id) }
        return found
    }
}

/// Sends SIGKILL to this process after so many microseconds, from a thread of its own.
private func killSoon(_ pause: UInt32) {
    startThread {
        usleep(pause)
        kill(getpid(), SIGKILL)
    }
}

/// Waits for a signal.
private func pause_() { pause() }
