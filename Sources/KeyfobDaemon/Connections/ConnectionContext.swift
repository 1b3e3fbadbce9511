// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
package import KeyfobPlatform
internal import Synchronization

/// What a handler knows of a connection.
package final class ConnectionContext: Sendable {
    /// A number that no other connection of this server has.
    package let id: UInt64
    /// Who connected, as the kernel knew it when the connection was accepted.
    package let caller: Caller
    /// Whether the caller is the owner or root, as the handler said then.
    package let isOwner: Bool
    /// When the connection was accepted.
    package let connected: Moment
    private let slot = Mutex<(any AnyObject & Sendable)?>(nil)

    package init(id: UInt64, caller: Caller, isOwner: Bool, connected: Moment = .now) {
        self.id = id
        self.caller = caller
        self.isOwner = isOwner
        self.connected = connected
    }

    /// What the handler keeps for the connection; gone with it.
    package var cache: (any AnyObject & Sendable)? {
        get { slot.withLock { $0 } }
        set { slot.withLock { $0 = newValue } }
    }
}
