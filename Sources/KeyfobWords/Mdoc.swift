// SPDX-License-Identifier: Apache-2.0

/// Text in the mdoc language of manual pages.
package enum Mdoc {
    /// A line of text that no macro takes for its own.
    package static func escape(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "…": result += "..."
            case "'": result += "\\(aq"
            default: result.append(character)
            }
        }
        return result.hasPrefix(".") ? "\\&" + result : result
    }
}
