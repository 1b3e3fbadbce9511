// SPDX-License-Identifier: Apache-2.0

/// One SQL statement with the name that errors give it.
///
/// Both are literals: no SQL is built from strings.
package struct NamedStatement: Sendable {
    /// Lower camel case, unique in its area, for instance `insertItem`.
    package let name: StaticString
    /// One statement; parameters are `?1`, `?2`….
    package let text: StaticString

    package init(_ name: StaticString, _ text: StaticString) {
        self.name = name
        self.text = text
    }
}
