// SPDX-License-Identifier: Apache-2.0

/// Text from items, tokens and arguments, made safe for a terminal: nothing in it moves the cursor or colours a line.
package enum Printable {
    /// The text with control characters, line breaks and direction marks as `\n`, `\t` or `\u{1B}`.
    package static func text(_ string: String) -> String {
        guard string.unicodeScalars.contains(where: isUnsafe) else { return string }
        var result = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isUnsafe(scalar): result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The same between double quotes.
    package static func quoted(_ string: String) -> String { "\"\(text(string))\"" }

    /// The text cut to `columns`, the last one an ellipsis where something is missing.
    package static func text(_ string: String, columns: Int) -> String {
        let whole = text(string)
        guard DisplayWidth.of(whole) > columns else { return whole }
        var result = ""
        var width = 0
        for character in whole {
            width += DisplayWidth.of(String(character))
            guard width < columns else { break }
            result.append(character)
        }
        return result + "…"
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        // Line and paragraph separators, and the marks that turn the direction of what follows.
        case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C, 0xFEFF: true
        default: false
        }
    }
}
