// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPlatform

/// Decides when a keychain has been idle for too long.
///
/// No threads, no clock, no lock.
///
/// Nobody tells it of uses as they happen: whoever uses the keychain leaves a mark, and the mark is looked for every now
/// and then. A mark counts as a use at the moment it is found, so that the keychain is locked after the limit at the
/// earliest, and after the limit and one pause at the latest.
/// ```
///     not unlocked --- unlocked ---> in use --- no mark for the limit ---> locked (asked for again after a pause, if the
///          ^                          |  ^                                          keychain is unlocked all the same)
///          +--------------------------+  +--- mark
/// ```
struct IdleState {
    /// What is to be done now.
    enum Action: Equatable {
        /// Look again after so long.
        case wait(Duration)
        /// Lock the keychain, and look again after so long.
        case lock(Duration)
    }

    private let limit: Duration
    /// How long nobody looks.
    private let pause: Duration
    /// When the keychain was seen in use last; nil: it was not unlocked.
    private var lastUse: Moment?

    /// - Parameter limit: How long the keychain may stay unlocked without use.
    init(limit: Duration) {
        self.limit = limit
        pause = min(limit / 8, .seconds(60))
    }

    /// Somebody has looked.
    ///
    /// - Parameters:
    ///   - isUnlocked: Whether the keychain is.
    ///   - wasUsed: Whether there was a mark, which is gone now.
    mutating func looked(isUnlocked: Bool, wasUsed: Bool, now: Moment) -> Action {
        guard isUnlocked else {
            lastUse = nil
            return .wait(pause)
        }
        guard let last = lastUse, !wasUsed else {
            lastUse = now
            return .wait(pause)
        }
        let left = now.duration(to: last + limit)
        return left == .zero ? .lock(pause) : .wait(min(pause, left))
    }
}
