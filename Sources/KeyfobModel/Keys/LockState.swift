// SPDX-License-Identifier: Apache-2.0

/// Where a keychain stands between its token's login and logout.
package enum LockState: UInt8, Hashable, Sendable {
    /// The token is there and nobody has logged in since the keychain was opened.
    case beforeFirstUnlock = 1
    case unlocked = 2
    /// Logged out after a login.
    case locked = 3
    /// The token is absent, or another one is in its place.
    case noToken = 4

    /// Whether class keys of an availability can work in this state.
    package func allows(_ availability: Accessibility.Availability) -> Bool {
        switch (availability, self) {
        case (_, .noToken): false
        case (.always, _): true
        case (.afterFirstUnlock, .beforeFirstUnlock): false
        case (.afterFirstUnlock, .unlocked), (.afterFirstUnlock, .locked): true
        case (.whileUnlocked, .unlocked): true
        case (.whileUnlocked, .beforeFirstUnlock), (.whileUnlocked, .locked): false
        }
    }
}
