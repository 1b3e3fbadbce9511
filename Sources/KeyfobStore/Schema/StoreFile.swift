// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobSQLite

/// The file of a store: made whole or not at all, checked before it is opened.
enum StoreFile {
    /// How long a connection waits for another's lock, in milliseconds.
    static let busyTimeout: Int32 = 10_000

    /// Makes a store with what `fill` writes into it.
    ///
    /// A crash at any point leaves no file at `path`, or the whole one.
    ///
    /// It is built beside `path`, synced, linked into place, and the folder synced. Mode 0600; the write-ahead log and
    /// the shared-memory file get the mode of the store from SQLite.
    static func create(
        at path: String, fill: (borrowing StoreTransaction) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard unsafe access(path, F_OK) != 0 else {
            throw KeychainError(systemCall: "access", errno: EEXIST, .create, path: path)
        }
        let draft = path + ".new"
        removeDraft(draft)
        defer { removeDraft(draft) }
        try makeEmpty(draft)
        try build(draft, reportedAs: path, fill: fill)
        try sync(draft, flags: O_RDONLY)
        guard unsafe link(draft, path) == 0 else {
            throw KeychainError(systemCall: "link", errno: errno, .create, path: path)
        }
        removeDraft(draft)
        try sync(folder(of: path), flags: O_RDONLY | O_DIRECTORY)
    }

    /// A connection for writing to the store at `path`, migrated to the schema of this build.
    ///
    /// - Throws: `.keychainNotFound`, `.permissions`, `.readOnly`, `.storeDamaged`, `.storeTooNew`, `.diskFull`.
    static func openWriter(_ path: String, counter: StatementCounter) throws(KeychainError) -> Connection {
        try checkMode(path)
        let connection = try mapped(.open, path) { () throws(SQLiteError) in
            let connection = try Connection(path: path, mode: .readWrite, counter: counter)
            guard !connection.isReadOnly else { throw SQLiteError(.readOnly, statement: "sqlite3_open_v2") }
            connection.setBusyTimeout(milliseconds: busyTimeout)
            try connection.runScript(SchemaStatements.connection)
            try connection.runScript(SchemaStatements.writer)
            return connection
        }
        try migrate(connection, path: path)
        try mapped(.open, path) { () throws(SQLiteError) in try connection.run(SchemaStatements.writeAheadLog) }
        connection.takeOverCheckpoints()
        return connection
    }

    // MARK: - Schema

    private static func migrate(_ connection: Connection, path: String) throws(KeychainError) {
        let (application, version) = try mapped(.open, path) { () throws(SQLiteError) in
            (
                try connection.integer(SchemaStatements.applicationID),
                try connection.integer(SchemaStatements.userVersion) ?? 0
            )
        }
        guard application == Migration.applicationID, version > 0 else {
            throw .damagedStore("not a store of this program", .open, path: path)
        }
        guard version <= Migration.current else {
            throw KeychainError(
                .storeTooNew, .open, subject: .path(path),
                cause: .format(place: "schema version", fault: "\(version), this build knows \(Migration.current)"))
        }
        for step in Migration.all where step.version > version {
            try mapped(.open, path) { () throws(SQLiteError) in try apply(step, connection) }
        }
    }

    private static func apply(_ step: Migration, _ connection: Connection) throws(SQLiteError) {
        try connection.beginImmediate()
        do {
            try connection.runScript(step.script)
            try connection.commit()
        } catch {
            // The error that matters is the step's; a transaction left open ends with its connection.
            do { try connection.rollback() } catch {}
            throw error
        }
    }

    private static func build(
        _ draft: String, reportedAs path: String, fill: (borrowing StoreTransaction) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let connection = try mapped(.create, path) { () throws(SQLiteError) in
            let connection = try Connection(path: draft, mode: .readWrite)
            try connection.runScript(SchemaStatements.connection)
            try connection.runScript(SchemaStatements.writer)
            try connection.run(SchemaStatements.writeAheadLog)
            for step in Migration.all { try apply(step, connection) }
            try connection.beginImmediate()
            return connection
        }
        try fill(
            StoreTransaction(connection: connection, ids: ItemNumbers(after: 0), operation: .create, path: path))
        try mapped(.create, path) { () throws(SQLiteError) in
            try connection.commit()
            try connection.checkpoint(restart: true)
        }
    }

    private static func mapped<R>(
        _ operation: KeychainError.Operation, _ path: String, _ body: () throws(SQLiteError) -> R
    ) throws(KeychainError) -> R {
        do { return try body() } catch { throw KeychainError(error, operation, path: path) }
    }

    // MARK: - Files

    /// Refuses a store that others may read, and what is no plain file.
    private static func checkMode(_ path: String) throws(KeychainError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw KeychainError(systemCall: "stat", errno: errno, .open, path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw KeychainError.damagedStore("not a plain file", .open, path: path)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw KeychainError(.permissions, .open, subject: .path(path), remedy: .fixPermissions)
        }
    }

    private static func makeEmpty(_ draft: String) throws(KeychainError) {
        let made = unsafe open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw KeychainError(systemCall: "open", errno: errno, .create, path: draft) }
        // The umask may have taken bits away, never added any.
        let result = fchmod(made, 0o600)
        let problem = errno
        Glibc.close(made)
        guard result == 0 else { throw KeychainError(systemCall: "fchmod", errno: problem, .create, path: draft) }
    }

    private static func sync(_ path: String, flags: Int32) throws(KeychainError) {
        let file = unsafe open(path, flags | O_CLOEXEC)
        guard file >= 0 else { throw KeychainError(systemCall: "open", errno: errno, .create, path: path) }
        let result = fsync(file)
        let problem = errno
        Glibc.close(file)
        guard result == 0 else { throw KeychainError(systemCall: "fsync", errno: problem, .create, path: path) }
    }

    /// Nothing is lost if a draft stays: the next creation removes it.
    private static func removeDraft(_ draft: String) {
        unsafe unlink(draft)
        unsafe unlink(draft + "-wal")
        unsafe unlink(draft + "-shm")
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
