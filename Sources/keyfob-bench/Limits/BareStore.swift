// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobBench

/// SQLite without Keyfob: one table with a unique index, WAL, `synchronous=FULL`, prepared statements, called from C.
@safe final class BareStore {
    private let store: OpaquePointer
    private let rows: Int
    private var dice = Dice()

    init(path: String, rows: Int) throws(BenchFailure) {
        var value: Int32 = 0
        guard let opened = unsafe keyfob_bare_store_open(path, rows, &value) else {
            throw BenchFailure("the bare database cannot be made: SQLite's code \(value)")
        }
        unsafe store = opened
        self.rows = rows
    }

    deinit {
        unsafe keyfob_bare_store_close(store)
    }

    /// One row by its unique key.
    func read() throws(BenchFailure) {
        let value = unsafe keyfob_bare_store_read(store, Int.random(in: 0..<rows, using: &dice))
        guard value == 0 else { throw BenchFailure("the bare read: SQLite's code \(value)") }
    }

    /// One row, durable.
    func insert() throws(BenchFailure) {
        let value = unsafe keyfob_bare_store_insert(store)
        guard value == 0 else { throw BenchFailure("the bare insert: SQLite's code \(value)") }
    }
}
