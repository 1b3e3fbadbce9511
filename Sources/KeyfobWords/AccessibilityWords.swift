// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

extension Accessibility {
    /// The word for the class on the command line: Apple's name in lower case, with hyphens.
    package var word: String {
        switch self {
        case .whenUnlocked: "when-unlocked"
        case .afterFirstUnlock: "after-first-unlock"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "when-unlocked-this-device-only"
        case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-this-device-only"
        case .alwaysThisDeviceOnly: "always-this-device-only"
        case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-this-device-only"
        }
    }

    /// The class that `--accessible` names: its word, Apple's name (`WhenUnlocked`) or its code (`ak`).
    package init?(word: String) {
        let plain = word.lowercased().filter { $0 != "-" }
        guard let found = Self.allCases.first(where: { $0.word.filter { $0 != "-" } == plain }) ?? Self(code: word)
        else { return nil }
        self = found
    }
}

/// The accessibility classes as a list of words.
package enum AccessibilityWords {
    /// In the order of their numbers.
    package static let all = Accessibility.allCases.map(\.word)
}
