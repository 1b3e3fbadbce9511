// SPDX-License-Identifier: Apache-2.0

/// The exit status of a command.
///
/// The numbers are an interface: they are never given a new meaning.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    package static let success = Self(rawValue: 0)
    /// Something failed that has no number of its own.
    package static let failure = Self(rawValue: 1)
    /// The arguments make no command; nothing was done.
    package static let usage = Self(rawValue: 2)
    /// No such item.
    package static let notFound = Self(rawValue: 3)
    /// More than one item, or the thing to be made exists.
    package static let ambiguous = Self(rawValue: 4)
    /// The keychain is locked, and no PIN could be had.
    package static let locked = Self(rawValue: 5)
    /// There is no keychain yet (the number that systemd calls `NOTCONFIGURED`).
    package static let notConfigured = Self(rawValue: 6)
    /// The PIN was refused, or was not tried because the token would lock.
    package static let pinRefused = Self(rawValue: 7)
    /// The token is absent, not the right one, or failed.
    package static let token = Self(rawValue: 8)
    /// The store or an item is damaged.
    package static let damaged = Self(rawValue: 9)
    /// Another process owns the keychain, or is busy with it.
    package static let inUse = Self(rawValue: 10)
    /// Not allowed: file permissions, or an access group that the caller does not have.
    package static let denied = Self(rawValue: 11)
    /// No daemon answers, or it is of another version.
    package static let noDaemon = Self(rawValue: 12)
    /// Reading or writing failed: disk full, read-only, closed output.
    package static let inputOutput = Self(rawValue: 74)
    /// A configuration file is wrong.
    package static let configuration = Self(rawValue: 78)
    /// The person broke off at a prompt.
    package static let canceled = Self(rawValue: 130)

    /// All of them with what they mean, for the help and the manual page.
    package static let all: [(status: Self, meaning: String)] = [
        (.success, "done"),
        (.failure, "failed for a reason without a number of its own"),
        (.usage, "the arguments make no command; nothing was done"),
        (.notFound, "no such item"),
        (.ambiguous, "several items fit, or the keychain to be made exists"),
        (.locked, "the keychain is locked and no PIN could be had"),
        (.notConfigured, "there is no keychain yet"),
        (.pinRefused, "the PIN was refused, or was not tried because the token would lock"),
        (.token, "the token is absent, is not the right one, or failed"),
        (.damaged, "the store or an item is damaged"),
        (.inUse, "another process owns the keychain"),
        (.denied, "not allowed: file permissions or access group"),
        (.noDaemon, "no daemon answers, or it is of another version"),
        (.inputOutput, "reading or writing failed"),
        (.configuration, "a configuration file is wrong"),
        (.canceled, "broken off at a prompt"),
    ]
}
