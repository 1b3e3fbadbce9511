// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSQLite

/// One connection to one database file, with its prepared statements.
///
/// Confined: it is opened without SQLite's own mutex (`SQLITE_OPEN_NOMUTEX`), so one thread at a time may use it; it may
/// move between threads when the owner orders the moves. All calls block on the disk; with a busy timeout also on locks.
@safe package final class Connection {
    /// How the file is opened.
    package enum Mode: Sendable {
        /// The file must exist; a file that cannot be written is opened for reading (`isReadOnly`).
        case readWrite
        /// As `readWrite`, and a missing file is made.
        case create
        /// The file must exist and is not written.
        case readOnly
    }

    let handle: OpaquePointer
    let counter: StatementCounter?
    private var prepared: [UInt: PreparedStatement] = [:]
    private let walFrames: UnsafeMutablePointer<Int32>

    /// Opens `path`; `:memory:` is a private database in memory.
    ///
    /// - Throws: `SQLiteError` of `sqlite3_open_v2`. Damage may show only when the first statement runs.
    package init(path: String, mode: Mode, counter: StatementCounter? = nil) throws(SQLiteError) {
        let access: Int32 =
            switch mode {
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        var opened: OpaquePointer?
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard result == SQLITE_OK, let handle = unsafe opened else {
            let systemErrno = unsafe opened.map { unsafe sqlite3_system_errno($0) } ?? 0
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(
                ResultCode(rawValue: result), statement: "sqlite3_open_v2", systemErrno: systemErrno)
        }
        unsafe self.handle = handle
        self.counter = counter
        unsafe walFrames = .allocate(capacity: 1)
        unsafe walFrames.initialize(to: 0)
    }

    deinit {
        prepared = [:]
        unsafe sqlite3_close_v2(handle)
        unsafe walFrames.deallocate()
    }

    /// The statement, prepared on first use and kept for the life of the connection, ready to be bound.
    ///
    /// - Throws: `SQLiteError` of `sqlite3_prepare_v3`; damage of the schema shows here.
    package func statement(_ named: NamedStatement) throws(SQLiteError) -> Statement {
        let key = unsafe UInt(bitPattern: named.text.utf8Start)
        if let known = prepared[key] { return Statement(known, self) }
        let made = try PreparedStatement(named, self)
        prepared[key] = made
        return Statement(made, self)
    }

    /// Runs a statement without parameters to its end, rows ignored.
    package func run(_ named: NamedStatement) throws(SQLiteError) {
        let statement = try statement(named)
        while try statement.step() {}
    }

    /// The first column of the first row of a statement without parameters, or nil if there is no row.
    package func integer(_ named: NamedStatement) throws(SQLiteError) -> Int64? {
        let statement = try statement(named)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// Runs several statements, separated by semicolons, that are used once: schema and pragmas.
    package func runScript(_ script: NamedStatement) throws(SQLiteError) {
        counter?.add()
        let result = script.text.withUTF8Buffer { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe sqlite3_exec(handle, text.baseAddress, nil, nil, nil)
            }
        }
        guard result == SQLITE_OK else { throw error(result, "\(script.name)") }
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// Whether the database cannot be written through this connection.
    package var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// How long to wait for a lock before `.busy`, in milliseconds; 0 at first.
    package func setBusyTimeout(milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    // MARK: - Write-ahead log

    /// Stops automatic checkpoints and keeps count of the log's frames instead (`walFrameCount`).
    package func takeOverCheckpoints() {
        unsafe sqlite3_wal_hook(
            handle,
            { (context, _, _, frames) in
                unsafe context?.assumingMemoryBound(to: Int32.self).pointee = frames
                return SQLITE_OK
            }, walFrames)
    }

    /// Frames (pages) in the write-ahead log after the last commit of this connection.
    package var walFrameCount: Int { unsafe Int(walFrames.pointee) }

    /// Copies the write-ahead log into the database file, both synced.
    ///
    /// - Parameter restart: waits (busy timeout) until no reader needs the log, so that it begins anew; else copies what it
    ///   can without waiting.
    /// - Returns: whether every frame was copied.
    /// - Throws: `SQLiteError`; `.busy` if a reader outlived the timeout. The log still holds everything then.
    @discardableResult
    package func checkpoint(restart: Bool) throws(SQLiteError) -> Bool {
        var frames: Int32 = 0
        var copied: Int32 = 0
        let mode = restart ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE
        let result = unsafe sqlite3_wal_checkpoint_v2(handle, "main", mode, &frames, &copied)
        guard result == SQLITE_OK else { throw error(result, "sqlite3_wal_checkpoint_v2") }
        return frames == copied
    }

    // MARK: - Errors

    func error(_ result: Int32, _ statement: String) -> SQLiteError {
        unsafe SQLiteError(
            ResultCode(rawValue: result), statement: statement, systemErrno: sqlite3_system_errno(handle))
    }
}
