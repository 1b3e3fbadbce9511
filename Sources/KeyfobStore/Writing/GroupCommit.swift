// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobSQLite
internal import Synchronization

/// The one writer of a store.
///
/// Callers that come while a commit is under way are committed together by the next one.
///
/// ```
///   caller ──> nobody leads? ──yes──> leads: runs its job and those that wait, commits once, wakes them,
///                  │ no                      names the first of those that came meanwhile the next leader
///                  └──> queue, sleeps ──> woken: settled, or named leader
/// ```
/// The mutex guards the queue alone; no body, statement or sleep happens under it.
final class GroupCommit: @unchecked Sendable {
    // @unchecked: `connection` and `ids` belong to the leader, of whom there is one at a time; the mutex and the
    // semaphores order one leader's use before the next one's.
    private struct State {
        var queue: [WriteJob] = []
        var hasLeader = false
        var leader: pthread_t = 0
        var isClosed = false
        var lastGroup = 1
        var commits = 0
    }

    /// No group has more jobs, so that none of them waits for ever.
    private static let largestGroup = 128
    /// Frames in the write-ahead log from which on each group ends with a checkpoint: 8 MiB.
    ///
    /// SQLite's index of the log chains the frames of one page, so a long log makes the pages that every commit writes dear.
    private static let checkpointFrames = 2000
    /// Frames from which on the checkpoint waits for readers so that the log begins anew: 64 MiB.
    private static let restartFrames = 16_000
    /// How often a leader lets other threads run while fewer have come than to the group before.
    private static let patience = 3

    private let path: String
    private let state = Mutex(State())
    private var connection: Connection?
    private let ids: ItemNumbers

    init(_ connection: sending Connection, path: String, lastID: Int64) {
        self.connection = connection
        self.path = path
        ids = ItemNumbers(after: lastID)
    }

    /// Runs a job and returns when it is settled, on the disk if it was committed.
    ///
    /// Blocks.
    func perform(_ job: WriteJob) throws(KeychainError) {
        let mayLead = try enter(job)
        if !mayLead {
            job.wait()
            guard case .leads = job.outcome else { return try job.result() }
            job.beginLeading()
            state.withLock { $0.leader = pthread_self() }
        }
        lead(job)
        try job.result()
    }

    /// Waits for the writes under way, then closes the connection; later writes throw.
    func close() {
        state.withLock { $0.isClosed = true }
        let last = WriteJob(.open, isAlone: true) { (_) throws(KeychainError) in }
        let mayLead = state.withLock { state in
            if state.hasLeader { state.queue.append(last) }
            defer { state.hasLeader = true }
            return !state.hasLeader
        }
        if !mayLead {
            last.wait()
            guard case .leads = last.outcome else { return }
        }
        connection = nil
        passOn()
    }

    /// Jobs in the queue behind the leader.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Groups ended so far.
    var commits: Int { state.withLock { $0.commits } }

    // MARK: - Entering and leaving

    /// Whether the caller leads; else the job is in the queue.
    private func enter(_ job: WriteJob) throws(KeychainError) -> Bool {
        let me = pthread_self()
        let entered: Bool? = state.withLock { state in
            guard !state.isClosed, !(state.hasLeader && state.leader == me) else { return nil }
            guard state.hasLeader else {
                state.hasLeader = true
                state.leader = me
                return true
            }
            state.queue.append(job)
            return false
        }
        guard let entered else {
            if state.withLock({ $0.isClosed }) { throw .closedStore(job.operation, path: path) }
            // A write inside the body of a write would wait for itself.
            throw KeychainError(
                .internalError, job.operation, subject: .path(path),
                cause: .sqlite(statement: "write", code: ResultCode.misuse.rawValue))
        }
        return entered
    }

    private func lead(_ first: WriteJob) {
        if let connection {
            var group = WriteGroup(connection, ids, path: path)
            if group.add(first), !first.isAlone { takeFollowers(&group) }
            group.commit()
            state.withLock { state in
                state.lastGroup = group.jobs.count
                state.commits += 1
            }
            for job in group.jobs where job !== first { job.wake() }
            tidyLog(connection)
        } else {
            first.settle(.failed(KeychainError(.internalError, first.operation, subject: .path(path))))
        }
        passOn()
    }

    /// Adds those that wait.
    ///
    /// Callers that a commit has just woken come back within microseconds: if there were several,
    /// the leader gives them that time, so that they share this commit instead of waiting for the next.
    private func takeFollowers(_ group: inout WriteGroup) {
        var yields = 0
        while group.jobs.count < Self.largestGroup {
            let (next, mayGrow): (WriteJob?, Bool) = state.withLock { state in
                guard let next = state.queue.first else { return (nil, group.jobs.count < state.lastGroup) }
                return next.isAlone ? (nil, false) : (state.queue.removeFirst(), true)
            }
            if let next {
                guard group.add(next) else { return }
            } else {
                guard mayGrow, yields < Self.patience else { return }
                yields += 1
                sched_yield()
            }
        }
    }

    private func passOn() {
        let next: WriteJob? = state.withLock { state in
            state.leader = 0
            guard !state.queue.isEmpty else {
                state.hasLeader = false
                return nil
            }
            return state.queue.removeFirst()
        }
        next?.makeLeader()
    }

    // MARK: - The log

    /// Keeps the write-ahead log short.
    ///
    /// An error is no loss: the log still holds everything, the next group tries again, and a disk that stays full
    /// shows in a commit.
    private func tidyLog(_ connection: Connection) {
        let frames = connection.walFrameCount
        guard frames >= Self.checkpointFrames else { return }
        do { try connection.checkpoint(restart: frames >= Self.restartFrames) } catch {}
    }
}
