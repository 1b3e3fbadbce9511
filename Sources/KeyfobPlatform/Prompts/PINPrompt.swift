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
    /// Whether it is a token's PIN; else a password, and errors must not call it a PIN.
    package let asksForPIN: Bool

    package init(
        title: String = "Keyfob", description: String, label: String = "PIN", error: String? = nil,
        asksForPIN: Bool = true
    ) {
        self.title = Printable.text(title)
        self.description = Printable.text(description)
        self.label = Printable.text(label)
        self.error = error.map { Printable.text($0) }
        self.asksForPIN = asksForPIN
    }
}
