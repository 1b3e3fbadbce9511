// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSQLite

/// Binding parameters, the first of which is 1. Each call copies what it is given and throws `SQLiteError`
/// (`SQLITE_RANGE`, `SQLITE_TOOBIG`, `SQLITE_NOMEM`).
extension Statement {
    /// Binds an integer.
    package func bind(_ parameter: Int32, _ value: Int64) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_int64(prepared.handle, parameter, value))
    }

    /// Binds a blob; an empty array is an empty blob, nil is NULL.
    package func bind(_ parameter: Int32, _ value: [UInt8]?) throws(SQLiteError) {
        guard let value else { return try bindNull(parameter) }
        try bind(parameter, unsafe value.span.bytes)
    }

    /// Binds a blob.
    package func bind(_ parameter: Int32, _ value: RawSpan) throws(SQLiteError) {
        let result = unsafe value.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count > 0 else {
                return unsafe sqlite3_bind_zeroblob(prepared.handle, parameter, 0)
            }
            return unsafe sqlite3_bind_blob64(
                prepared.handle, parameter, base, UInt64(bytes.count), Self.transient)
        }
        try check(result)
    }

    /// Binds text as UTF-8.
    package func bind(_ parameter: Int32, _ value: String) throws(SQLiteError) {
        var value = value
        let result = value.withUTF8 { text in
            // An empty string has no address, and NULL is not what it means.
            guard let base = text.baseAddress else {
                return unsafe sqlite3_bind_text(prepared.handle, parameter, "", 0, Self.transient)
            }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: text.count) { base in
                unsafe sqlite3_bind_text64(
                    prepared.handle, parameter, base, UInt64(text.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        }
        try check(result)
    }

    /// Binds NULL.
    package func bindNull(_ parameter: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_null(prepared.handle, parameter))
    }

    /// `SQLITE_TRANSIENT`, a cast that Swift does not import: SQLite copies before the call returns.
    private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private func check(_ result: Int32) throws(SQLiteError) {
        guard result == SQLITE_OK else { throw error(result) }
    }
}
