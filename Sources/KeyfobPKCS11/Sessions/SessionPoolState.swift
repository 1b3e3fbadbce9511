// SPDX-License-Identifier: Apache-2.0

/// The decisions of a session pool: event in, actions out.
///
/// Knows no token, no thread and no clock.
///
/// ```
///            open                 lease                     give back
///   (none) -------> opening ----------------> leased -------------------> idle --lease--> leased
///                      |                        | too long
///                      | fails                  v
///                      v                   quarantined ---- comes back after all ----> closing ----> (none)
///                    (none)
/// ```
///
/// - A session has one lessee; the first to wait is the first to be served.
/// - Sessions are opened and closed one at a time (the *door*): some modules crash when that is done in parallel.
/// - A spoiled session, one of an earlier generation and one that was quarantined is closed when it comes back.
/// - A session leased longer than `patience` is quarantined as soon as someone else waits for its place: its call
///   hangs, cannot be cancelled, and must not cost the others their room.
struct SessionPoolState: Hashable, Sendable {
    /// A session of the pool; numbers are never used again.
    typealias SessionID = Int
    /// Someone who asks for a session; numbers are the caller's.
    typealias RequesterID = Int

    /// What the pool is to do after an event, in this order.
    struct Actions: Hashable, Sendable {
        /// Sessions to be closed now, by whoever brought the event; then `closed()` is due.
        var close: [SessionID] = []
        /// Requesters whose wait is over.
        var resume: [RequesterID: Answer] = [:]
    }

    /// What a requester gets.
    enum Answer: Hashable, Sendable {
        /// The session is its own until it is given back.
        case lease(SessionID)
        /// It must open a session itself; then `opened` or `openFailed` is due.
        case open
        /// It must wait to be resumed.
        case wait
    }

    private struct Lease: Hashable {
        var session: SessionID
        var since: UInt64
    }

    private(set) var limit: Int
    private let fullLimit: Int
    private let patience: UInt64
    private var idle: [SessionID] = []
    private var leased: [Lease] = []
    private var quarantined: [SessionID] = []
    private var stale: Set<SessionID> = []
    private var toClose: [SessionID] = []
    private var waiting: [RequesterID] = []
    private var doorIsBusy = false
    private var nextID: SessionID = 0

    /// - Parameters:
    ///   - limit: how many sessions there may be, the quarantined not counted; at least 1.
    ///   - patience: how long a lease may last while others wait, in the unit of the events' clock.
    init(limit: Int, patience: UInt64) {
        fullLimit = max(1, limit)
        self.limit = fullLimit
        self.patience = patience
    }

    /// Sessions that are open or being opened and count against the limit.
    var count: Int { idle.count + leased.count }
    /// Sessions whose calls hang.
    var quarantinedCount: Int { quarantined.count }
    /// Whether one session would be left to others, and none of them waits, if one more were lent.
    var hasSpare: Bool { waiting.isEmpty && leased.count + 1 < limit }
    /// Requesters that wait.
    var waitingCount: Int { waiting.count }

    /// Someone wants a session.
    ///
    /// An idle one is leased; with room and a free door the requester opens one; else it waits.
    mutating func request(_ requester: RequesterID, now: UInt64) -> Answer {
        if waiting.isEmpty, let session = idle.popLast() {
            leased.append(Lease(session: session, since: now))
            return .lease(session)
        }
        if waiting.isEmpty, let answer = openIfPossible(now: now) { return answer }
        waiting.append(requester)
        return .wait
    }

    /// A requester stopped waiting; one that was resumed meanwhile is not found, and keeps what it got.
    ///
    /// - Returns: whether it was still waiting.
    mutating func giveUp(_ requester: RequesterID) -> Bool {
        guard let index = waiting.firstIndex(of: requester) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// The requester that was told to open a session has opened one: it is leased to it.
    mutating func opened(now: UInt64) -> (SessionID, Actions) {
        let session = nextID
        nextID += 1
        leased.append(Lease(session: session, since: now))
        doorIsBusy = false
        return (session, passDoor(now: now))
    }

    /// The requester that was told to open a session could not.
    ///
    /// - Parameter exhausted: whether the token said that there may be no more sessions: then the pool makes do with
    ///   those it has, if it has any, and the requester waits for one (`.wait`).
    mutating func openFailed(_ requester: RequesterID, exhausted: Bool, now: UInt64) -> (Answer?, Actions) {
        doorIsBusy = false
        guard exhausted, count > 0 else { return (nil, passDoor(now: now)) }
        limit = count
        waiting.insert(requester, at: 0)
        var actions = passDoor(now: now)
        // A session may have become idle in the meantime.
        if let answer = actions.resume.removeValue(forKey: requester) { return (answer, actions) }
        return (.wait, actions)
    }

    /// A lessee gives its session back.
    mutating func giveBack(_ session: SessionID, spoiled: Bool, now: UInt64) -> Actions {
        if let index = quarantined.firstIndex(of: session) {
            quarantined.remove(at: index)
            toClose.append(session)
        } else if let index = leased.firstIndex(where: { $0.session == session }) {
            leased.remove(at: index)
            if spoiled || stale.remove(session) != nil {
                toClose.append(session)
            } else {
                idle.append(session)
            }
        }
        stale.remove(session)
        return passDoor(now: now)
    }

    /// All sessions that exist are dead or unwanted: idle ones are closed, leased ones when they come back.
    ///
    /// A limit that the token had lowered is as high as at first again.
    mutating func drop(now: UInt64) -> Actions {
        limit = fullLimit
        toClose.append(contentsOf: idle)
        idle.removeAll()
        stale.formUnion(leased.map(\.session))
        return passDoor(now: now)
    }

    /// The sessions that an event asked to close are closed.
    mutating func closed(now: UInt64) -> Actions {
        doorIsBusy = false
        return passDoor(now: now)
    }

    // MARK: - Private

    /// Serves those who wait, and gives the door to the next who needs it.
    private mutating func passDoor(now: UInt64) -> Actions {
        var actions = Actions()
        while !waiting.isEmpty, let session = idle.popLast() {
            leased.append(Lease(session: session, since: now))
            actions.resume[waiting.removeFirst()] = .lease(session)
        }
        guard !doorIsBusy else { return actions }
        if !toClose.isEmpty {
            doorIsBusy = true
            actions.close = toClose
            toClose.removeAll()
        } else if let first = waiting.first, let answer = openIfPossible(now: now) {
            waiting.removeFirst()
            actions.resume[first] = answer
        }
        return actions
    }

    private mutating func openIfPossible(now: UInt64) -> Answer? {
        guard !doorIsBusy else { return nil }
        if count >= limit { quarantineOverdue(now: now) }
        guard count < limit else { return nil }
        doorIsBusy = true
        return .open
    }

    private mutating func quarantineOverdue(now: UInt64) {
        guard let index = leased.firstIndex(where: { now >= $0.since && now - $0.since > patience }) else { return }
        quarantined.append(leased.remove(at: index).session)
    }
}
