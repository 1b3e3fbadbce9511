// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A moment as people type it.
package enum PointInTime {
    /// Seconds from 1970-01-01T00:00:00Z to 2001-01-01T00:00:00Z.
    private static let epochOffset = 978_307_200.0
    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]

    /// The moment in seconds since 2001-01-01T00:00:00Z, or nil if the text is none.
    ///
    /// - Parameters:
    ///   - text: a number and one of `s m h d w`, so long before now; or `YYYY-MM-DD`, with `THH:MM` or `THH:MM:SS` after
    ///     it, and perhaps a `Z`: UTC in any case.
    ///   - now: in the same seconds.
    package static func parse(_ text: String, now: Double) -> Double? {
        if let unit = text.last.flatMap({ units[$0] }), let number = number(text.dropLast()) {
            return now - Double(number) * unit
        }
        let whole = text.hasSuffix("Z") ? text.dropLast() : text[...]
        let halves = whole.split(separator: "T", omittingEmptySubsequences: false)
        let day = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let clock = halves.count > 1 ? halves[1].split(separator: ":", omittingEmptySubsequences: false) : ["0", "0"]
        guard halves.count <= 2, day.count == 3, day[0].count == 4, (2...3).contains(clock.count),
            let year = number(day[0]), let month = number(day[1]), let date = number(day[2]),
            let hour = number(clock[0]), let minute = number(clock[1]),
            let second = clock.count > 2 ? number(clock[2]) : 0
        else { return nil }
        var parts = unsafe tm()
        unsafe parts.tm_year = year - 1900
        unsafe parts.tm_mon = month - 1
        unsafe parts.tm_mday = date
        unsafe parts.tm_hour = hour
        unsafe parts.tm_min = minute
        unsafe parts.tm_sec = second
        let given = unsafe (parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec)
        let moment = unsafe Double(timegm(&parts))
        // What the calendar had to carry over was no date.
        guard unsafe given == (parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec) else {
            return nil
        }
        return moment - epochOffset
    }

    private static func number(_ text: Substring) -> Int32? {
        guard text.count <= 9, !text.isEmpty, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int32(text)
    }
}
