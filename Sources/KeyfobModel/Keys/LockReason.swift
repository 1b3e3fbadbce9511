// SPDX-License-Identifier: Apache-2.0

/// Why a keychain was locked; the raw value is that of docs/wire.md.
package enum LockReason: UInt8, CaseIterable, Hashable, Sendable {
    /// Somebody asked for it: `keyfob lock`, or a program that embeds the engine.
    case explicit = 1
    /// Nothing was used that needs the login, for as long as was set.
    case idle = 2
    /// The daemon got SIGUSR1.
    case signal = 3
    /// The machine was about to sleep.
    case suspend = 4
    /// The token was pulled.
    case tokenRemoved = 5
    /// The process that had the keychain open ended.
    case daemonEnd = 6
    /// Another part of the process, or another program, logged out of the token.
    case loginLost = 7
    /// `keyfob token unblock`: a token has one login, and the security officer's needs the user's gone.
    case tokenUnblock = 8

    /// The word in the audit log and in JSON; never changes.
    package var word: String {
        switch self {
        case .explicit: "explicit"
        case .idle: "idle"
        case .signal: "signal"
        case .suspend: "suspend"
        case .tokenRemoved: "token-removed"
        case .daemonEnd: "daemon-end"
        case .loginLost: "login-lost"
        case .tokenUnblock: "token-unblock"
        }
    }

    /// The reason that a word names; nil: none.
    package init?(word: String) {
        guard let reason = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = reason
    }
}

/// The last time that a keychain went from unlocked to locked.
package struct LastLock: Hashable, Sendable {
    package let reason: LockReason
    /// Seconds since 2001-01-01T00:00:00Z, by the system's clock; finite.
    package let time: Double

    package init(_ reason: LockReason, time: Double) {
        self.reason = reason
        self.time = time
    }
}
