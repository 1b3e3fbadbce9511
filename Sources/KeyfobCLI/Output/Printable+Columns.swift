// SPDX-License-Identifier: Apache-2.0
package import KeyfobPlatform
internal import KeyfobWords

extension Printable {
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
