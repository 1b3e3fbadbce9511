// SPDX-License-Identifier: Apache-2.0

/// A call of SQLite that failed: what it returned, and in which statement.
///
/// Never holds a bound value.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The extended result code.
    package let code: ResultCode
    /// The `NamedStatement`, or the C function where no statement was running.
    package let statement: String
    /// `errno` of the system call below, 0 if there was none (`sqlite3_system_errno`).
    package let systemErrno: Int32

    package init(_ code: ResultCode, statement: String, systemErrno: Int32 = 0) {
        self.code = code
        self.statement = statement
        self.systemErrno = systemErrno
    }
}
