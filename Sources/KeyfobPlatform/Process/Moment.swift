// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A point in time for deadlines: nobody sets this clock, and it does not run while the machine sleeps.
package struct Moment: Hashable, Comparable, Sendable {
    /// Nanoseconds since some moment before the machine started (`CLOCK_MONOTONIC`).
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// Now; costs no system call where the clock is mapped into the process.
    package static var now: Moment { Moment(nanoseconds: reading(CLOCK_MONOTONIC)) }

    /// Now, by a clock that runs while the machine sleeps too (`CLOCK_BOOTTIME`): for comparing with its own readings alone.
    package static var nowAsleepToo: Moment { Moment(nanoseconds: reading(CLOCK_BOOTTIME)) }

    /// The moment that is `duration` later; never before this one.
    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(nanoseconds: moment.nanoseconds &+ duration.wholeNanoseconds)
    }

    /// The time from this moment to the other; zero if that has passed.
    package func duration(to later: Moment) -> Duration {
        .nanoseconds(later.nanoseconds > nanoseconds ? later.nanoseconds - nanoseconds : 0)
    }

    package static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

    private static func reading(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        // The clock exists on every Linux.
        unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension Duration {
    /// Nanoseconds, at most some 290 years; 0 for what lies in the past.
    package var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(min(seconds, 9_000_000_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// Milliseconds for poll and epoll, rounded up so that a wait never ends before its time.
    var pollMilliseconds: Int32 {
        Int32(clamping: (wholeNanoseconds + 999_999) / 1_000_000)
    }

    /// The shape of `SO_RCVTIMEO`, where zero means for ever: the shortest is one microsecond.
    var timeValue: timeval {
        let nanoseconds = max(wholeNanoseconds, 1000)
        return timeval(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
    }
}
