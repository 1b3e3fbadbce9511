// SPDX-License-Identifier: Apache-2.0
package import KeyfobPlatform

extension Printable {
    /// The whole text on one line, however long it is.
    package static func whole(_ string: String) -> String { text(string, limit: .max) }

    /// The same between double quotes.
    package static func quoted(_ string: String) -> String { "\"\(whole(string))\"" }
}
