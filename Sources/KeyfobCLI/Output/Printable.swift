// SPDX-License-Identifier: Apache-2.0
package import KeyfobPlatform

extension Printable {
    /// The whole text on one line, however long it is.
    package static func whole(_ string: String) -> String { text(string, limit: .max) }

    /// The same between double quotes.
    package static func quoted(_ string: String) -> String { "\"\(whole(string))\"" }

    /// The text cut to `columns` of a terminal, the last one an ellipsis where something is missing.
    package static func text(_ string: String, columns: Int) -> String {
        let whole = whole(string)
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
}
