// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A point on `CLOCK_MONOTONIC`.
package struct MonotonicTime: Hashable, Sendable {
    package let nanoseconds: UInt64

    /// Now.
    package static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// The time `duration` from now.
    static func after(_ duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: now.nanoseconds &+ nanoseconds(duration))
    }

    /// Blocks the thread for about that long.
    static func pause(_ duration: Duration) {
        let (seconds, rest) = nanoseconds(duration).quotientAndRemainder(dividingBy: 1_000_000_000)
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        unsafe nanosleep(&time, nil)
    }

    /// A duration in nanoseconds; 0 for negative ones.
    static func nanoseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    }
}
