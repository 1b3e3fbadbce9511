// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// Decides what the workers do: who runs a request, what waits, which thread is replaced.
///
/// No threads, no sockets, no lock.
///
/// Each live worker either reads or runs a request. One of them always reads: with as many requests running as there are
/// other workers, what is read waits in the queue, and who finishes a request takes from there first.
/// A worker that has finished may stay with its client, one at a time and only while another reads: it leaves the client
/// as soon as anybody else has something to say.
/// Requests that may wait for the token never take all the workers that run requests: a third of those is for the others,
/// whatever floods in, if there are three at least.
/// ```
///             arrived                       finished
///   reading ----------> running ----------------------------> reading, running what waits, or staying
///                          | overdue
///                          v           returned
///                     written off -----------------> ended, or reading where a thread is missing
/// ```
struct WorkerState<Job> {
    /// What becomes of a request that was read whole.
    enum Admission: Equatable {
        /// It runs on the thread that read it.
        case run
        /// It waits.
        case wait
        /// As much waits as may.
        case busy
        /// So many threads hang that no more are made.
        case unavailable
        /// The server ends.
        case stopping
    }

    /// What a thread does that has finished a request.
    enum AfterRequest {
        case run(Job)
        /// It stays with its client, and says `stayed` afterwards.
        case stay
        case read
    }

    /// Threads that read or run.
    private(set) var live: Int
    /// Requests that run on live threads.
    private(set) var running = 0
    /// Those of them that may wait for the token.
    private(set) var slow = 0
    /// Threads that hang in a request which was answered without them.
    private(set) var writtenOff = 0
    private(set) var isStopping = false
    /// Whether a thread stays with its client.
    private(set) var isStaying = false
    /// Live threads that there should be.
    private let wanted: Int
    private let writtenOffLimit: Int
    private var queue: RequestQueue<Job>

    init(workers: Int, queueLimit: Int, writtenOffLimit: Int) {
        wanted = max(workers, 2)
        live = wanted
        queue = RequestQueue(limit: queueLimit)
        self.writtenOffLimit = writtenOffLimit
    }

    /// Requests that wait.
    var queued: Int { queue.count }

    /// When the request that waits longest must be answered; nil if none waits.
    var nextDeadline: Moment? { queue.nextDeadline }

    /// Threads that are missing because they could not be made.
    var missing: Int { isStopping || writtenOff >= writtenOffLimit ? 0 : wanted - live }

    private var mayRun: Bool { running < (isStopping ? live : live - 1) }

    private var mayRunSlow: Bool {
        let places = max(live - 1, 1)
        return mayRun && (isStopping || slow < places - places / 3)
    }

    // MARK: - Requests

    /// A thread has read a request; with `.run` it counts as running it, with `.wait` it must `enqueue` it.
    ///
    /// - Parameter isSlow: whether it may wait for the token.
    mutating func arrived(isSlow: Bool = false) -> Admission {
        if isStopping { return .stopping }
        if writtenOff >= writtenOffLimit { return .unavailable }
        if isSlow ? mayRunSlow : mayRun {
            running += 1
            if isSlow { slow += 1 }
            return .run
        }
        return queue.hasRoom(forSlow: isSlow) ? .wait : .busy
    }

    /// The request is ready to wait; meanwhile it may have come to something else, which is done instead.
    mutating func enqueue(_ job: Job, deadline: Moment, isSlow: Bool = false) -> Admission {
        let admission = arrived(isSlow: isSlow)
        if admission == .wait { queue.append(job, deadline: deadline, isSlow: isSlow) }
        return admission
    }

    /// A thread has finished a request; `mayStay` says whether its client is worth staying with.
    mutating func finished(mayStay: Bool, wasSlow: Bool = false) -> AfterRequest {
        running -= 1
        if wasSlow { slow -= 1 }
        if let job = next() { return .run(job) }
        guard mayStay, !isStaying, !isStopping, running <= live - 2 else { return .read }
        isStaying = true
        return .stay
    }

    /// The thread that stayed with its client reads now, or goes on with the client's next request.
    mutating func stayed() { isStaying = false }

    /// A thread is free; the request that it runs next, or nil: it reads.
    mutating func next() -> Job? {
        guard mayRun, let (job, isSlow) = queue.popFirst(withSlow: mayRunSlow) else { return nil }
        running += 1
        if isSlow { slow += 1 }
        return job
    }

    /// The requests that have waited too long, or all of them; they are out of the queue.
    mutating func expired(_ now: Moment?) -> [Job] { queue.expired(now) }

    /// The requests that wait and that nobody will run, since no more threads are made; they are out of the queue.
    mutating func abandoned() -> [Job] {
        isStopping ? (live == 0 ? expired(nil) : []) : (writtenOff >= writtenOffLimit ? expired(nil) : [])
    }

    // MARK: - Threads

    /// A running request was answered in the place of its thread, which is written off; true if another thread is to be
    /// started in its place, which counts as live from now on.
    mutating func overdue(wasSlow: Bool = false) -> Bool {
        running -= 1
        if wasSlow { slow -= 1 }
        live -= 1
        writtenOff += 1
        guard !isStopping, writtenOff < writtenOffLimit else { return false }
        live += 1
        return true
    }

    /// A thread that was to be started could not be.
    mutating func failedToStart() { live -= 1 }

    /// A missing thread is started.
    mutating func startsMissing() { live += 1 }

    /// A thread that was written off is back; true if it goes on as a live one, as a thread is missing.
    mutating func returned() -> Bool {
        writtenOff -= 1
        guard !isStopping, live < wanted else { return false }
        live += 1
        return true
    }

    /// No request is taken any more; those that run and wait are.
    mutating func stop() { isStopping = true }

    /// A live thread ends, as the server does.
    mutating func ended() { live -= 1 }

    /// Whether the server has no live thread left.
    var isOver: Bool { isStopping && live == 0 }
}

extension WorkerState.AfterRequest: Equatable where Job: Equatable {}
