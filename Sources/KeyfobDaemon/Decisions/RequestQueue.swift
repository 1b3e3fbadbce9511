// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// Requests that wait for a worker, those that may wait for the token beside the others: who comes first is served first,
/// but for requests that a token keeps waiting, which keep no others waiting.
///
/// No lock.
struct RequestQueue<Job> {
    private struct Waiting {
        let job: Job
        let deadline: Moment
    }

    private let limit: Int
    private var quick = Deque<Waiting>()
    private var slow = Deque<Waiting>()

    /// - Parameter limit: how many may wait; those that may wait for the token get three quarters of that.
    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { quick.count + slow.count }

    /// When the request that waits longest must be answered; nil if none waits.
    var nextDeadline: Moment? {
        guard let quick = quick.first?.deadline else { return slow.first?.deadline }
        return min(quick, slow.first?.deadline ?? quick)
    }

    /// Whether one more may wait.
    func hasRoom(forSlow isSlow: Bool) -> Bool {
        count < limit && (!isSlow || slow.count < max(1, limit - limit / 4))
    }

    mutating func append(_ job: Job, deadline: Moment, isSlow: Bool) {
        if isSlow {
            slow.append(Waiting(job: job, deadline: deadline))
        } else {
            quick.append(Waiting(job: job, deadline: deadline))
        }
    }

    /// The one that has waited longest, and whether it may wait for the token.
    mutating func popFirst(withSlow takesSlow: Bool) -> (job: Job, isSlow: Bool)? {
        let deadline = takesSlow ? slow.first?.deadline : nil
        if let deadline, quick.first.map({ deadline < $0.deadline }) ?? true {
            return slow.popFirst().map { ($0.job, true) }
        }
        return quick.popFirst().map { ($0.job, false) }
    }

    /// The requests that have waited too long, or all of them, those that waited longest first; they are out of the queue.
    mutating func expired(_ now: Moment?) -> [Job] {
        var jobs: [Job] = []
        while let next = nextDeadline, now.map({ next <= $0 }) ?? true, let (job, _) = popFirst(withSlow: true) {
            jobs.append(job)
        }
        return jobs
    }
}
