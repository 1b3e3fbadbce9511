// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// Which lines of the audit log are wanted: all that is given must hold.
package struct AuditQuery: Hashable, Sendable {
    /// An item by its name: one that exists, existed, or was only asked for.
    package struct Item: Hashable, Sendable {
        /// The service of a generic password or the server of an internet password.
        package var name: WipedBytes
        /// Nil: every account.
        package var account: WipedBytes?

        package init(name: WipedBytes, account: WipedBytes? = nil) {
            self.name = name
            self.account = account
        }
    }

    /// Seconds since 2001-01-01T00:00:00Z; only what happened then or later.
    package var since: Double?
    package var item: Item?
    /// The number or name of a user, a systemd unit, or the path of an executable or its last part.
    package var caller: String?
    /// Only lines with a greater number: the last one of the page before.
    package var after: UInt64
    /// At most so many lines an answer; fewer: there are no more.
    package var limit: Int

    package init(
        since: Double? = nil, item: Item? = nil, caller: String? = nil, after: UInt64 = 0, limit: Int = 1000
    ) {
        self.since = since
        self.item = item
        self.caller = caller
        self.after = after
        self.limit = limit
    }
}
