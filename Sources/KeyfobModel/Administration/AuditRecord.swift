// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// One line of the audit log, with the names that the keychain's owner may learn.
package struct AuditRecord: Hashable, Sendable {
    /// An item that was touched.
    package struct Item: Hashable, Sendable {
        package let uuid: ItemUUID
        /// Its service or server; nil if the item is gone or its class is locked.
        package let name: WipedBytes?
        package let account: WipedBytes?

        package init(uuid: ItemUUID, name: WipedBytes? = nil, account: WipedBytes? = nil) {
            self.uuid = uuid
            self.name = name
            self.account = account
        }
    }

    /// The number of the line, from 1, without a gap.
    package let sequence: UInt64
    /// Seconds since 2001-01-01T00:00:00Z.
    package let time: Double
    package let event: AccessEvent
    /// `event.items`, with names.
    package let items: [Item]
    /// The access groups that `event.scopes` stand for, each once; those that hold no item any more are missing.
    package let groups: [AccessGroup]
    /// What the log itself has to say: lines lost, bytes set aside, the place of a checkpoint; nil for an access.
    package let note: String?

    package init(
        sequence: UInt64, time: Double, event: AccessEvent, items: [Item] = [], groups: [AccessGroup] = [],
        note: String? = nil
    ) {
        self.sequence = sequence
        self.time = time
        self.event = event
        self.items = items
        self.groups = groups
        self.note = note
    }
}
