// SPDX-License-Identifier: Apache-2.0

/// Text that others chose (token labels, names of programs) made fit for a line of a terminal or a log.
package enum Printable {
    /// The most bytes that a name takes in a line.
    package static let nameLimit = 256

    /// The text on one line: control characters and marks that change the reading direction become `\u{…}`, and what
    /// goes beyond `limit` bytes of UTF-8 becomes an ellipsis.
    package static func text(_ text: String, limit: Int = nameLimit) -> String {
        var result = ""
        var room = limit
        for scalar in text.unicodeScalars {
            let shown = isHarmless(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            room -= shown.utf8.count
            guard room >= 0 else { return result + "…" }
            result += shown
        }
        return result
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
