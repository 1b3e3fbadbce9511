// SPDX-License-Identifier: Apache-2.0

/// What a person reads when asked for a PIN; every part is made printable before it is shown.
package struct PINPrompt: Hashable, Sendable {
    /// What asks: the title of a window.
    package let title: String
    /// What the PIN is for, with the token's name.
    package let description: String
    /// The word before the entry.
    package let label: String
    /// What was wrong with the entry before, or nil.
    package let error: String?

    package init(title: String = "Keyfob", description: String, label: String = "PIN", error: String? = nil) {
        self.title = Printable.text(title)
        self.description = Printable.text(description)
        self.label = Printable.text(label)
        self.error = error.map { Printable.text($0) }
    }
}
