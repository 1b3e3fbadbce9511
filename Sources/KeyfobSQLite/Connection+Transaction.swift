// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSQLite

extension Connection {
    /// Whether a transaction is open.
    ///
    /// SQLite ends one by itself after some errors (disk full, I/O, memory).
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Begins a transaction that only reads: one snapshot for all its statements, taken by the first of them.
    package func beginRead() throws(SQLiteError) {
        try run(NamedStatement("beginRead", "BEGIN DEFERRED"))
    }

    /// Begins a transaction and takes the write lock, waiting as long as the busy timeout says.
    package func beginImmediate() throws(SQLiteError) {
        try run(NamedStatement("beginImmediate", "BEGIN IMMEDIATE"))
    }

    /// Commits.
    ///
    /// In WAL mode with `synchronous=FULL` the log is on the disk when this returns.
    ///
    /// - Throws: `SQLiteError`; the transaction may still be open, `rollback()` ends it.
    package func commit() throws(SQLiteError) {
        try run(NamedStatement("commit", "COMMIT"))
    }

    /// Ends the transaction, if one is open, and takes back all it did.
    package func rollback() throws(SQLiteError) {
        guard isInTransaction else { return }
        try run(NamedStatement("rollback", "ROLLBACK"))
    }

    /// Opens a savepoint inside the transaction.
    package func beginSavepoint() throws(SQLiteError) {
        try run(NamedStatement("beginSavepoint", "SAVEPOINT part"))
    }

    /// Closes the innermost savepoint and keeps what was done since.
    package func releaseSavepoint() throws(SQLiteError) {
        try run(NamedStatement("releaseSavepoint", "RELEASE part"))
    }

    /// Takes back what was done since the innermost savepoint, and closes it.
    package func rollbackSavepoint() throws(SQLiteError) {
        try run(NamedStatement("rollbackSavepoint", "ROLLBACK TO part"))
        try releaseSavepoint()
    }
}
