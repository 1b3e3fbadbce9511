// SPDX-License-Identifier: Apache-2.0

/// By what a daemon locks its keychain without being asked.
package struct LockTriggers: Hashable, Sendable {
    /// Whether the keychain is locked before the machine sleeps; the raw value is that of docs/wire.md.
    package enum Suspend: UInt8, CaseIterable, Hashable, Sendable {
        /// Nobody looks: the daemon of a sandbox, or one that has only just started.
        case unwatched = 1
        /// The machine waits for the lock.
        case watched = 2
        /// There is no system bus, or no logind on it.
        case unavailable = 3
    }

    /// Without use for so many seconds it is locked; nil: never for that.
    package let idleSeconds: Int?
    package let suspend: Suspend

    package init(idleSeconds: Int? = nil, suspend: Suspend = .unwatched) {
        self.idleSeconds = idleSeconds
        self.suspend = suspend
    }
}
