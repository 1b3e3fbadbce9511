// SPDX-License-Identifier: Apache-2.0

/// A user of a test, by numbers: no account needs to exist.
package struct TestUser: Hashable, Sendable {
    package let uid: UInt32
    /// Its main group, and the others.
    package let groups: [UInt32]

    package init(_ uid: UInt32, groups: [UInt32]? = nil) {
        self.uid = uid
        self.groups = groups ?? [uid]
    }

    package static let root = TestUser(0)
    /// Whom the daemon runs as.
    package static let daemon = TestUser(61_000)
    /// Two services that may use the daemon's socket, as members of its group.
    package static let shop = TestUser(61_001, groups: [61_001, 61_000])
    package static let mail = TestUser(61_002, groups: [61_002, 61_000])

    /// What goes in front of a program that runs as this user.
    package var launcher: [String] {
        guard self != .root else { return [] }
        let numbers = groups.map(String.init)
        return [
            "/usr/bin/setpriv", "--reuid", String(uid), "--regid", numbers[0], "--groups",
            numbers.joined(separator: ","), "--inh-caps=-all",
        ]
    }
}
