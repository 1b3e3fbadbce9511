// SPDX-License-Identifier: Apache-2.0

/// How many columns of a terminal a text takes.
package enum DisplayWidth {
    /// The sum over its characters: two for East Asian wide characters and emoji, else one.
    package static func of(_ text: String) -> Int {
        var width = 0
        for character in text {
            width += character.unicodeScalars.first.map(isWide) == true ? 2 : 1
        }
        return width
    }

    /// Whether a character that begins with the scalar is wide (Unicode Standard Annex #11, blocks as a whole).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F000...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
