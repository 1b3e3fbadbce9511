// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSQLite

/// Changes a store's file behind the engine's back, as a failing disk or an attacker would.
///
/// No check of the schema holds it up. The engine must be closed meanwhile.
@safe package final class StoreEditor {
    /// What SQLite said.
    package struct Failure: Error {
        package let sql: String
        package let code: Int32
    }

    private let handle: OpaquePointer

    package init(_ path: String) throws(Failure) {
        var opened: OpaquePointer?
        let result = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
        guard result == SQLITE_OK, let made = unsafe opened else { throw Failure(sql: "open", code: result) }
        unsafe handle = made
        try run("PRAGMA ignore_check_constraints = ON")
        try run("PRAGMA foreign_keys = OFF")
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs one statement.
    package func run(_ sql: String) throws(Failure) {
        let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw Failure(sql: sql, code: result) }
    }

    /// The rows of a query, each as SQL literals joined by `|`.
    package func rows(_ sql: String) throws(Failure) -> [String] {
        try values(sql).map { $0.joined(separator: "|") }
    }

    /// Every row of every table: equal before and after means that nothing was written.
    ///
    /// The count of seals is left out.
    package func dump() throws(Failure) -> [String] {
        var all: [String] = []
        for table in ["keychain", "scopes", "items", "search"] {
            all += try rows("SELECT * FROM \(table)").map { table + ": " + $0 }
        }
        let columns = "class, generation, suite, residence, state, wrapped, metadata_key"
        return all.sorted() + (try rows("SELECT \(columns) FROM class_keys"))
    }

    /// Flips one bit of a column in the row that `condition` names; of bytes and text the bit of its middle byte.
    package func flip(_ column: String, of table: String, where condition: String, bit: Int = 0) throws(Failure) {
        let kind = try values("SELECT typeof(\(column)), hex(\(column)) FROM \(table) WHERE \(condition)")
        guard kind.count == 1 else { throw Failure(sql: "\(kind.count) rows where \(condition)", code: 0) }
        let literal: String
        switch kind[0][0] {
        case "'integer'":
            let mask = 1 << bit
            literal = "(\(column) | \(mask)) - (\(column) & \(mask))"
        case "'text'":
            literal = "CAST(X'\(Self.flipped(kind[0][1], bit: bit))' AS TEXT)"
        default:
            literal = "X'\(Self.flipped(kind[0][1], bit: bit))'"
        }
        try run("UPDATE \(table) SET \(column) = \(literal) WHERE \(condition)")
    }

    /// Flips the lowest bit of one byte of a blob; a negative offset counts from its end.
    package func flipByte(
        at offset: Int, in column: String, of table: String, where condition: String
    ) throws(Failure) {
        let found = try values("SELECT hex(\(column)) FROM \(table) WHERE \(condition)")
        guard found.count == 1 else { throw Failure(sql: "\(found.count) rows where \(condition)", code: 0) }
        var digits = Array(found[0][0].filter { $0 != "'" })
        let position = offset < 0 ? digits.count + 2 * offset + 1 : 2 * offset + 1
        guard digits.indices.contains(position), let digit = digits[position].hexDigitValue else {
            throw Failure(sql: "\(column) has no byte \(offset)", code: 0)
        }
        digits[position] = Array("0123456789ABCDEF")[digit ^ 1]
        try run("UPDATE \(table) SET \(column) = X'\(String(digits))' WHERE \(condition)")
    }

    private static func flipped(_ quotedHex: String, bit: Int) -> String {
        var digits = Array(quotedHex.filter { $0 != "'" })
        let position = digits.count / 4 * 2 + 1
        guard position < digits.count, let digit = digits[position].hexDigitValue else { return "01" }
        digits[position] = Array("0123456789ABCDEF")[digit ^ (1 << (bit % 4))]
        return String(digits)
    }

    private func values(_ sql: String) throws(Failure) -> [[String]] {
        var statement: OpaquePointer?
        let prepared = unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard prepared == SQLITE_OK else { throw Failure(sql: sql, code: prepared) }
        defer { unsafe sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            let count = unsafe sqlite3_column_count(statement)
            rows.append((0..<count).map { unsafe Self.literal(statement, $0) })
        }
        return rows
    }

    private static func literal(_ statement: OpaquePointer?, _ column: Int32) -> String {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return String(unsafe sqlite3_column_int64(statement, column))
        case SQLITE_NULL: return "NULL"
        case SQLITE_BLOB:
            let count = unsafe Int(sqlite3_column_bytes(statement, column))
            let bytes = unsafe UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)
            let digits = unsafe bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return "X'\(digits.joined())'"
        default:
            guard let text = unsafe sqlite3_column_text(statement, column) else { return "''" }
            let plain = unsafe String(cString: text)
            return "'\(plain)'"
        }
    }
}
