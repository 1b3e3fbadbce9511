// SPDX-License-Identifier: Apache-2.0

/// Decides by how many threads values are opened, from how long that took so far: by one, unless the token is slow and more were
/// found to be faster.
///
/// ```
///             slow                  faster                     faster, or as many as may be
///   by one ---------> twice as many -------> ... twice as many ----------------------------+
///      ^                    | not faster: as many as before                                |
///      |                    v                                                              v
///      +-- `trust` is over ----------------------- settled <-------------------------------+
/// ```
/// Knows no token, no thread and no clock; times are nanoseconds of the caller's.
struct OpeningPace: Sendable {
    /// What is to be opened next.
    struct Round: Hashable, Sendable {
        /// Threads, the caller's own included.
        let width: Int
        /// Values.
        let count: Int
    }

    /// From this long on for one value a token is slow: a thread costs a few hundredths of it.
    static let slow: UInt64 = 1_000_000
    /// Fewer values are not worth a thread.
    static let fewest = 4
    /// For how long what was found is taken to be so.
    static let trust: UInt64 = 60_000_000_000
    /// How long a round should last at most, so that who waits hears of it.
    static let roundTime: UInt64 = 1_000_000_000

    /// What opening one value took by one thread, in the middle; nil: not known.
    private(set) var cost: UInt64?
    /// The width that was best so far, and what a value took with it.
    private var best: (width: Int, cost: UInt64)?
    private var settled: (width: Int, cost: UInt64, since: UInt64)?

    /// Whether more than one thread may be worth it.
    var isSlow: Bool { (cost ?? 0) >= Self.slow }

    /// The next round of an operation that has `remaining` values to open.
    ///
    /// - Parameter limit: the most threads.
    mutating func next(_ remaining: Int, limit: Int, now: UInt64) -> Round {
        guard let cost else { return Round(width: 1, count: min(remaining, Self.fewest)) }
        guard cost >= Self.slow, remaining >= Self.fewest, limit > 1 else { return round(1, remaining, cost) }
        if let settled {
            if now < settled.since &+ Self.trust { return round(min(settled.width, limit), remaining, settled.cost) }
            (self.settled, best) = (nil, nil)
        }
        guard let best else { return Round(width: 1, count: min(remaining, Self.fewest)) }
        let width = min(2 * best.width, limit)
        guard remaining >= 2 * width else { return round(min(best.width, limit), remaining, best.cost) }
        return Round(width: width, count: min(remaining, 4 * width))
    }

    /// A round is over.
    ///
    /// - Parameters:
    ///   - asked: how many of its values the token was asked for; the others cost nothing.
    ///   - limit: as it was for `next`.
    mutating func finished(width: Int, asked: Int, took time: UInt64, limit: Int, now: UInt64) {
        guard asked > 0 else { return }
        let each = time / UInt64(asked)
        if width == 1 { cost = cost.map { ($0 * 7 + each) / 8 } ?? each }
        // A slow start counts at once, or the first long read would be over before it is believed.
        if width == 1, asked >= Self.fewest { cost = each }
        guard settled == nil, asked >= Self.fewest else { return }
        guard let best else {
            if width == 1 { self.best = (1, each) }
            return
        }
        guard width > best.width else { return }
        if each <= best.cost / 5 * 4 {
            self.best = (width, each)
            if width >= limit { settled = (width, each, now) }
        } else {
            settled = (best.width, best.cost, now)
        }
    }

    private func round(_ width: Int, _ remaining: Int, _ cost: UInt64) -> Round {
        let most = Int(clamping: Self.roundTime / max(cost, 1))
        return Round(width: width, count: min(remaining, max(most, 2 * width)))
    }
}
