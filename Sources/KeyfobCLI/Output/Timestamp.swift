// SPDX-License-Identifier: Apache-2.0

/// A moment as text: UTC, ISO 8601, seconds rounded down.
package enum Timestamp {
    /// - Parameter seconds: Since 2001-01-01T00:00:00Z, as attributes hold them. Moments that are no number, or lie
    ///   outside of the years 1 to 9999, give the number itself.
    package static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 253_000_000_000 else { return "\(seconds)" }
        let whole = Int(seconds.rounded(.down))
        let days = Int((Double(whole) / 86400).rounded(.down))
        let second = whole - days * 86400
        // Days are counted from 0000-03-01, so that a leap day is the last of its year.
        let count = days + 730_791
        let era = (count >= 0 ? count : count - 146_096) / 146_097
        let dayOfEra = count - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        guard (1...9999).contains(year) else { return "\(seconds)" }
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3600, 2) + ":"
            + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
