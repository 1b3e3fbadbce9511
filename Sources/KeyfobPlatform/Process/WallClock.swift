// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The time of day in the unit of item dates.
package enum WallClock {
    /// Seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
    private static let epochOffset = 978_307_200.0

    /// Seconds added to the system's clock inside `$offset.withValue(_:operation:)`, for tests of a clock that jumps.
    @TaskLocal package static var offset = 0.0

    /// Seconds since 2001-01-01T00:00:00Z, as `CFAbsoluteTime`; follows the system's clock, so it may step back.
    package static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) - epochOffset + Double(time.tv_nsec) / 1_000_000_000 + offset
    }
}
