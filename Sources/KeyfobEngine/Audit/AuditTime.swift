// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Moments and durations of the audit log, in microseconds.
enum AuditTime {
    /// Seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
    private static let epochOffset: Int64 = 978_307_200
    /// Characters of a moment: `2026-11-30T10:00:00.123456Z`.
    static let textSize = 27

    /// Microseconds since 1970-01-01T00:00:00Z; follows the system's clock, so it may step back.
    static func now() -> Int64 { read(CLOCK_REALTIME) }

    /// Microseconds since some moment, never back.
    static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// The moment in the unit of item dates: seconds since 2001-01-01T00:00:00Z.
    static func seconds(_ moment: Int64) -> Double {
        Double(moment - epochOffset * 1_000_000) / 1_000_000
    }

    /// Appends the moment as text (RFC 3339, UTC); what lies outside of the years 1970 to 9999 becomes the nearer end.
    static func write(_ moment: Int64, to bytes: inout [UInt8]) {
        var calendar = Calendar()
        calendar.write(moment, to: &bytes)
    }

    /// Writes moments one after the other; remembers the text of the last second, as most lines share theirs.
    struct Calendar {
        private var second: Int64 = -1
        private var text: [UInt8] = []

        /// As `AuditTime.write`.
        mutating func write(_ moment: Int64, to bytes: inout [UInt8]) {
            let clamped = min(max(moment, 0), 253_402_300_799_999_999)
            if clamped / 1_000_000 != second {
                second = clamped / 1_000_000
                text = Self.text(second)
            }
            bytes += text
            AuditTime.digits(Int(clamped % 1_000_000), 6, &bytes)
            bytes.append(UInt8(ascii: "Z"))
        }

        /// Everything before the fraction: `2026-11-30T10:00:00` and a point.
        private static func text(_ second: Int64) -> [UInt8] {
            var second = time_t(second)
            var parts = unsafe tm()
            unsafe gmtime_r(&second, &parts)
            var bytes: [UInt8] = []
            unsafe AuditTime.digits(Int(parts.tm_year) + 1900, 4, &bytes)
            for (mark, number) in unsafe [
                ("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min),
                (":", parts.tm_sec),
            ] as [(Unicode.Scalar, Int32)] {
                bytes.append(UInt8(ascii: mark))
                AuditTime.digits(Int(number), 2, &bytes)
            }
            bytes.append(UInt8(ascii: "."))
            return bytes
        }
    }

    /// The moment that a text of `textSize` characters stands for; nil if it is none.
    static func parse(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count == textSize else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int32? {
            var value: Int32 = 0
            for byte in text[(text.startIndex + offset)...].prefix(count) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int32(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0, 4), year >= 1970, let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
            let fraction = number(20, 6)
        else { return nil }
        var parts = unsafe tm()
        unsafe parts.tm_year = year - 1900
        unsafe parts.tm_mon = month - 1
        unsafe parts.tm_mday = day
        unsafe parts.tm_hour = hour
        unsafe parts.tm_min = minute
        unsafe parts.tm_sec = second
        let moment = unsafe Int64(timegm(&parts)) * 1_000_000 + Int64(fraction)
        // Separators, and days that no month has, show in the text that the moment would have.
        var again: [UInt8] = []
        write(moment, to: &again)
        return again.elementsEqual(text) ? moment : nil
    }

    fileprivate static func digits(_ number: Int, _ count: Int, _ bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
