// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSQLite

/// Reading the columns of the current row, the first of which is 0.
extension Statement {
    /// Whether the column is NULL.
    package func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(prepared.handle, column) == SQLITE_NULL
    }

    /// Whether the column holds an integer.
    package func isInteger(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(prepared.handle, column) == SQLITE_INTEGER
    }

    /// The column as an integer; 0 for NULL.
    package func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(prepared.handle, column)
    }

    /// The column as a floating-point number; 0 for NULL.
    package func real(_ column: Int32) -> Double {
        unsafe sqlite3_column_double(prepared.handle, column)
    }

    /// Lends the bytes of a blob or text column, none for NULL, for the time of `body`.
    ///
    /// - Throws: what `body` throws.
    package func withBytes<R: ~Copyable, E: Error>(
        _ column: Int32, _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        // Address before length: the order that sqlite3_column_blob's documentation asks for.
        let base = unsafe sqlite3_column_blob(prepared.handle, column)
        let count = unsafe base == nil ? 0 : Int(sqlite3_column_bytes(prepared.handle, column))
        let bytes = unsafe UnsafeRawBufferPointer(start: base, count: count)
        return try body(unsafe RawSpan(_unsafeBytes: bytes))
    }

    /// A copy of a blob column, empty for NULL.
    package func bytes(_ column: Int32) -> [UInt8] {
        withBytes(column) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    /// A copy of a blob column, nil for NULL.
    package func optionalBytes(_ column: Int32) -> [UInt8]? {
        isNull(column) ? nil : bytes(column)
    }

    /// A copy of a text column, empty for NULL; bytes that are no UTF-8 are replaced.
    package func text(_ column: Int32) -> String {
        withBytes(column) { span in unsafe span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
    }
}
