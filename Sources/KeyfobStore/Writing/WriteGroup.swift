// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobSQLite

/// One transaction for several jobs, each settled when the group has ended.
///
/// ```
///   BEGIN IMMEDIATE · first body · SAVEPOINT · body · RELEASE · SAVEPOINT · body · ROLLBACK TO … · COMMIT
/// ```
/// The first body needs no savepoint, so a lone one, large or small, pays for none. What takes the whole transaction
/// down (disk full, I/O error) makes every job run again in a transaction of its own: each gets its own verdict.
struct WriteGroup {
    let connection: Connection
    let ids: ItemNumbers
    let path: String
    /// Jobs whose work is in the open transaction.
    private var joined: [WriteJob] = []
    /// All jobs given so far.
    private(set) var jobs: [WriteJob] = []

    init(_ connection: Connection, _ ids: ItemNumbers, path: String) {
        self.connection = connection
        self.ids = ids
        self.path = path
    }

    /// Runs a job inside the group; false if the group is to be committed before any further job.
    mutating func add(_ job: WriteJob) -> Bool {
        jobs.append(job)
        guard joined.isEmpty else { return addToOpen(job) }
        do {
            try begin(job)
            try runBody(job)
            joined.append(job)
        } catch {
            job.settle(.failed(error))
            return undo()
        }
        return true
    }

    /// Commits what the jobs did and settles them all.
    mutating func commit() {
        guard !joined.isEmpty else { return }
        do {
            try connection.commit()
            for job in joined { job.settle(.committed) }
        } catch {
            _ = undo()
            if joined.count == 1 {
                joined[0].settle(.failed(KeychainError(error, joined[0].operation, path: path)))
            } else {
                runEachAlone(joined)
            }
        }
        joined = []
    }

    // MARK: - Private

    private mutating func addToOpen(_ job: WriteJob) -> Bool {
        do { try connection.beginSavepoint() } catch {
            return fallBack(with: job)
        }
        do {
            try runBody(job)
            try mapped(job) { () throws(SQLiteError) in try connection.releaseSavepoint() }
            joined.append(job)
            return true
        } catch {
            guard connection.isInTransaction else { return fallBack(with: job) }
            do { try connection.rollbackSavepoint() } catch {
                // The error of the body is what counts; all jobs run again by themselves.
                return fallBack(with: job)
            }
            job.settle(.failed(error))
            return true
        }
    }

    /// The transaction is lost through no fault of the jobs in it.
    private mutating func fallBack(with job: WriteJob) -> Bool {
        _ = undo()
        let again = joined + [job]
        joined = []
        runEachAlone(again)
        return false
    }

    private func runEachAlone(_ jobs: [WriteJob]) {
        for job in jobs {
            do {
                try begin(job)
                try runBody(job)
                try mapped(job) { () throws(SQLiteError) in try connection.commit() }
                job.settle(.committed)
            } catch {
                job.settle(.failed(error))
                guard undo() else { continue }
            }
        }
    }

    private func begin(_ job: WriteJob) throws(KeychainError) {
        try mapped(job) { () throws(SQLiteError) in try connection.beginImmediate() }
    }

    private func runBody(_ job: WriteJob) throws(KeychainError) {
        try job.run(StoreTransaction(connection: connection, ids: ids, operation: job.operation, path: path))
        guard connection.isInTransaction else {
            // The body went on after an error that ended the transaction.
            throw KeychainError(
                .internalError, job.operation, subject: .path(path),
                cause: .sqlite(statement: "transaction", code: ResultCode.misuse.rawValue))
        }
    }

    /// Ends the transaction; whether that worked.
    ///
    /// If it did not, the next `BEGIN` fails and says why.
    private func undo() -> Bool {
        do { try connection.rollback() } catch { return false }
        return true
    }

    private func mapped(_ job: WriteJob, _ body: () throws(SQLiteError) -> Void) throws(KeychainError) {
        do { try body() } catch { throw KeychainError(error, job.operation, path: path) }
    }
}
