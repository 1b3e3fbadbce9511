// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobEngine
internal import KeyfobModel

/// Opening, unlocking and locking, and what a keychain takes up.
struct Life {
    private let open: Series
    private let firstUnlock: Series
    private let unlock: Series
    private let firstCopy: Series
    private let lock: Series

    init(_ keychain: BenchKeychain) {
        func copy() throws {
            let result = try keychain.service.copyMatching(MatchRequest(BenchItem.query(0), returns: .data))
            guard result.items.count == 1 else { throw BenchFailure("a copy found nothing") }
        }
        open = Series("open", batch: 1, batches: 3, prepare: { _ in keychain.close() }) { _ in try keychain.open() }
        firstUnlock = Series(
            "first-unlock", batch: 1, batches: 3,
            prepare: { _ in
                keychain.close()
                try keychain.open()
            }
        ) { _ in try keychain.unlock() }
        unlock = Series("unlock", batch: 1, batches: 3, prepare: { _ in try keychain.engine.lock() }) { _ in
            try keychain.unlock()
        }
        firstCopy = Series(
            "first-copy", batch: 1, batches: 3,
            prepare: { _ in
                try keychain.engine.lock()
                try keychain.unlock()
            }
        ) { _ in try copy() }
        lock = Series(
            "lock", batch: 1, batches: 3, prepare: { _ in try copy() }, settle: { _ in try keychain.unlock() }
        ) {
            _ in try keychain.engine.lock()
        }
    }

    /// In this order: what opens a keychain leaves it locked.
    var series: [Series] { [open, firstUnlock, unlock, firstCopy, lock] }

    var figures: [Figure] {
        [
            Figure("open", "open the keychain", open.median),
            Figure("first-unlock", "unlock, first since it was opened", firstUnlock.median),
            Figure("unlock", "unlock again", unlock.median),
            Figure("first-copy", "copy one value, first after an unlock", firstCopy.median),
            Figure("lock", "lock", lock.median),
            Figure("resident", "resident memory of this process", Self.residentMiB, .mebibytes),
        ]
    }

    /// `VmRSS` of this process.
    private static var residentMiB: Double {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard unsafe fgets(&line, 256, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let words = text.split(separator: " ")
        guard words.count > 1, let pages = Double(words[1]) else { return 0 }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
    }
}
