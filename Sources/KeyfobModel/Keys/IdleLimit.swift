// SPDX-License-Identifier: Apache-2.0

/// After how long without use a daemon locks its keychain.
package enum IdleLimit: Hashable, Sendable {
    case never
    /// From 1 to `longest`.
    case seconds(Int)

    /// The longest time that can be set, in seconds: a week.
    package static let longest = 7 * 86400

    /// The times that can be set, in words.
    package static let bounds = "a time from 1s to 7d"

    /// A time within the bounds; nil for any other.
    package init?(seconds: Int) {
        guard (1...Self.longest).contains(seconds) else { return nil }
        self = .seconds(seconds)
    }

    /// What a person writes: `never`, or a whole number and `s`, `m`, `h` or `d`; nil for anything else, no time at all and
    /// more than a week.
    package init?(_ text: String) {
        if text == "never" {
            self = .never
            return
        }
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ Self.unit($0) }), digits.count <= 9,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits),
            number > 0, number <= Self.longest / unit
        else { return nil }
        self = .seconds(number * unit)
    }

    /// Nil: never.
    package var seconds: Int? {
        switch self {
        case .never: nil
        case .seconds(let seconds): seconds
        }
    }

    /// The shortest text that makes the same.
    package var text: String {
        guard let seconds else { return "never" }
        let (unit, size): (String, Int) =
            switch seconds {
            case _ where seconds % 86400 == 0: ("d", 86400)
            case _ where seconds % 3600 == 0: ("h", 3600)
            case _ where seconds % 60 == 0: ("m", 60)
            default: ("s", 1)
            }
        return "\(seconds / size)\(unit)"
    }

    private static func unit(_ letter: Character) -> Int? {
        switch letter {
        case "s": 1
        case "m": 60
        case "h": 3600
        case "d": 86400
        default: nil
        }
    }
}
