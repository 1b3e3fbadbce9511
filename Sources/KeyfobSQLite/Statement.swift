// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSQLite
internal import Glibc

/// The use of one prepared statement: bind, step, read columns.
///
/// Letting go resets it and forgets what was bound.
///
/// A prepared statement has one user at a time; a second one before the first lets go is a fault of ours and traps.
package struct Statement: ~Copyable {
    let prepared: PreparedStatement
    let connection: Connection

    init(_ prepared: PreparedStatement, _ connection: Connection) {
        precondition(!prepared.isLent, "a prepared statement has one user at a time")
        prepared.isLent = true
        self.prepared = prepared
        self.connection = connection
        connection.counter?.add()
    }

    deinit {
        unsafe sqlite3_reset(prepared.handle)
        unsafe sqlite3_clear_bindings(prepared.handle)
        prepared.isLent = false
    }

    /// Moves to the next row; false when there is none.
    ///
    /// - Throws: `SQLiteError`, whose code is extended.
    package func step() throws(SQLiteError) -> Bool {
        // SQLite 3.40 keeps no system error for a failed step (sqlite3_system_errno stays 0), so errno is asked.
        errno = 0
        let result = unsafe sqlite3_step(prepared.handle)
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let systemErrno = errno
            let error = error(result)
            guard error.systemErrno == 0, error.code.primary == .inputOutput else { throw error }
            throw SQLiteError(error.code, statement: error.statement, systemErrno: systemErrno)
        }
    }

    /// Runs it to its end, rows ignored, and makes it ready to be bound again.
    package func finish() throws(SQLiteError) {
        while try step() {}
        reset()
    }

    /// Makes it ready to be bound and stepped again; what is bound stays.
    package func reset() {
        // The result repeats the error of the last step, which `step` has thrown.
        unsafe sqlite3_reset(prepared.handle)
    }

    func error(_ result: Int32) -> SQLiteError {
        connection.error(result, prepared.name)
    }
}

/// A compiled statement in a connection's cache.
@safe final class PreparedStatement {
    let handle: OpaquePointer
    let named: NamedStatement
    var isLent = false

    init(_ named: NamedStatement, _ connection: Connection) throws(SQLiteError) {
        var made: OpaquePointer?
        let result = named.text.withUTF8Buffer { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe sqlite3_prepare_v3(
                    connection.handle, text.baseAddress, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &made,
                    nil)
            }
        }
        guard result == SQLITE_OK else { throw connection.error(result, "\(named.name)") }
        // SQLite gives no statement and no error for an empty text.
        guard let handle = unsafe made else { throw SQLiteError(.misuse, statement: "\(named.name)") }
        unsafe self.handle = handle
        self.named = named
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    var name: String { "\(named.name)" }
}
