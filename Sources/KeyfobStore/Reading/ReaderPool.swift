// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobSQLite
internal import Synchronization

/// Connections that only read, lent to one caller at a time and kept for the next.
///
/// There are as many as callers that read at once; a few stay open between. Readers never wait for the writer (WAL).
final class ReaderPool: Sendable {
    /// A connection on its way between its owners.
    private struct Idle: @unchecked Sendable {
        // @unchecked: it is in the pool or with the one caller who took it out.
        let connection: Connection
    }

    private struct State {
        var idle: [Idle] = []
        var isClosed = false
    }

    /// Idle connections kept open.
    private static let kept = 8

    private let path: String
    private let counter: StatementCounter
    private let state = Mutex(State())

    init(path: String, counter: StatementCounter) {
        self.path = path
        self.counter = counter
    }

    /// Lends a connection for the time of `body`.
    ///
    /// Blocks on the disk only.
    ///
    /// - Parameter snapshot: puts all statements of `body` into one read transaction.
    func read<R>(
        _ operation: KeychainError.Operation, snapshot: Bool, _ body: (Connection) throws(ReadFault) -> R
    ) throws(KeychainError) -> R {
        let lent = try take(operation)
        defer { giveBack(lent) }
        do {
            guard snapshot else { return try body(lent.connection) }
            try ReadFault.wrapping { () throws(SQLiteError) in try lent.connection.beginRead() }
            let result = try body(lent.connection)
            try ReadFault.wrapping { () throws(SQLiteError) in try lent.connection.commit() }
            return result
        } catch {
            throw KeychainError(error, operation, path: path)
        }
    }

    /// Closes idle connections; lent ones close when they come back.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.idle = []
        }
    }

    private func take(_ operation: KeychainError.Operation) throws(KeychainError) -> Idle {
        let (found, isClosed) = state.withLock { ($0.idle.popLast(), $0.isClosed) }
        if let found { return found }
        guard !isClosed else { throw .closedStore(operation, path: path) }
        do {
            let made = try Connection(path: path, mode: .readWrite, counter: counter)
            made.setBusyTimeout(milliseconds: StoreFile.busyTimeout)
            try made.runScript(SchemaStatements.connection)
            try made.runScript(SchemaStatements.reader)
            return Idle(connection: made)
        } catch {
            throw KeychainError(error, operation, path: path)
        }
    }

    private func giveBack(_ lent: Idle) {
        if lent.connection.isInTransaction {
            // A connection whose snapshot cannot be ended is closed instead of kept.
            do { try lent.connection.rollback() } catch { return }
        }
        state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.kept else { return }
            state.idle.append(lent)
        }
    }
}
