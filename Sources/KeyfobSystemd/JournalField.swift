// SPDX-License-Identifier: Apache-2.0

/// One field of a journal line (systemd.journal-fields(7)).
package struct JournalField: Hashable, Sendable {
    /// Upper case letters, digits and underscores, no underscore first.
    package let name: String
    /// Any text, line feeds included.
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// `NAME=value`, as sd_journal_sendv(3) takes it.
    var bytes: [UInt8] { Array("\(name)=\(value)".utf8) }
}
