// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// One worker's request, and who may answer it: the worker, or after the deadline the monitor; never both.
/// ```
///            begin            speak
///     idle --------> running <------> speaking
///      ^               |  | take
///      |    finish     |  v
///      +---------------+  taken      (finish says so, and the answer is dropped)
///      ^                   |
///      +-------------------+
/// ```
struct TurnState<Job> {
    private enum Phase {
        case idle
        case running(Job, Moment)
        /// The worker sends a frame before the answer; nobody else may use the connection.
        case speaking(Job, Moment)
        case taken
    }

    private var phase = Phase.idle

    /// When the monitor may take the request; nil if there is none.
    var deadline: Moment? {
        switch phase {
        case .running(_, let deadline), .speaking(_, let deadline): deadline
        case .idle, .taken: nil
        }
    }

    /// The worker runs a request.
    mutating func begin(_ job: Job, deadline: Moment) {
        phase = .running(job, deadline)
    }

    /// The worker wants to send a frame before the answer; false if the request is not its own any more.
    mutating func speak() -> Bool {
        guard case .running(let job, let deadline) = phase else { return false }
        phase = .speaking(job, deadline)
        return true
    }

    /// The frame is sent; the request has until `deadline` again.
    mutating func spoken(deadline: Moment) {
        guard case .speaking(let job, _) = phase else { return }
        phase = .running(job, deadline)
    }

    /// The worker has an answer; true if it is the worker's to send.
    mutating func finish() -> Bool {
        defer { phase = .idle }
        if case .running = phase { return true }
        return false
    }

    /// The monitor takes the request if it runs and is past its deadline (whatever the deadline, if `now` is nil).
    mutating func take(_ now: Moment?) -> Job? {
        guard case .running(let job, let deadline) = phase, now.map({ deadline <= $0 }) ?? true else { return nil }
        phase = .taken
        return job
    }
}
