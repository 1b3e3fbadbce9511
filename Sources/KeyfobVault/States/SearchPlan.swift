// SPDX-License-Identifier: Apache-2.0

/// When a token that is gone is looked for again: soon at first, then ever more seldom, and by one thread at a time.
///
/// Knows no token and no clock; times are nanoseconds of the caller's.
struct SearchPlan: Hashable, Sendable {
    static let firstPause: UInt64 = 250_000_000
    static let longestPause: UInt64 = 5_000_000_000

    private var next: UInt64 = 0
    private var pause = firstPause

    /// The token is gone: it is looked for at once.
    mutating func begin() {
        self = SearchPlan()
    }

    /// Whether it is to be looked for now; who is told so does it, and the others wait for the next time.
    mutating func claim(_ now: UInt64) -> Bool {
        guard now >= next else { return false }
        next = now + pause
        pause = min(2 * pause, Self.longestPause)
        return true
    }
}
