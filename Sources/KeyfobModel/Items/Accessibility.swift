// SPDX-License-Identifier: Apache-2.0

/// When an item can be used: Apple's accessibility classes, here states of the token's login (docs/architecture.md).
///
/// The raw value is what stores, sealed blobs and frames carry.
package enum Accessibility: UInt8, CaseIterable, Hashable, Sendable {
    case whenUnlocked = 1
    case afterFirstUnlock = 2
    case always = 3
    case whenUnlockedThisDeviceOnly = 4
    case afterFirstUnlockThisDeviceOnly = 5
    case alwaysThisDeviceOnly = 6
    case whenPasscodeSetThisDeviceOnly = 7

    /// The value of Apple's constant: `ak`, `ck`, `dk`, `aku`, `cku`, `dku` or `akpu`.
    package var code: String {
        switch self {
        case .whenUnlocked: "ak"
        case .afterFirstUnlock: "ck"
        case .always: "dk"
        case .whenUnlockedThisDeviceOnly: "aku"
        case .afterFirstUnlockThisDeviceOnly: "cku"
        case .alwaysThisDeviceOnly: "dku"
        case .whenPasscodeSetThisDeviceOnly: "akpu"
        }
    }

    /// The class with that code, or nil for any other string.
    package init?(code: String) {
        guard let found = Self.allCases.first(where: { $0.code.utf8.elementsEqual(code.utf8) }) else { return nil }
        self = found
    }

    /// Whether items of the class never leave this token: no backup, no export, no synchronisation.
    package var isThisDeviceOnly: Bool {
        switch self {
        case .whenUnlocked, .afterFirstUnlock, .always: false
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
            .whenPasscodeSetThisDeviceOnly:
            true
        }
    }

    /// The states of the token's login in which the class key works.
    package var availability: Availability {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: .whileUnlocked
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: .afterFirstUnlock
        case .always, .alwaysThisDeviceOnly: .always
        }
    }

    /// A group of accessibility classes that come and go together.
    package enum Availability: Hashable, Sendable {
        case whileUnlocked
        case afterFirstUnlock
        case always
    }
}
