// SPDX-License-Identifier: Apache-2.0

/// One access to a keychain, as it is recorded: digests and numbers, no name of an item or group, no value.
package struct AccessEvent: Hashable, Sendable {
    /// The most items and the most compartments that are named; `itemCount` counts on.
    package static let namedLimit = 16

    package var action: AuditAction
    /// Who asked; nil: the process that has the keychain open.
    package var caller: Caller?
    package var itemClass: ItemClass?
    /// The keyed digest of the service or server that was asked for, 16 bytes, whether or not there is such an item.
    package var nameDigest: [UInt8]?
    /// The keyed digest of the account that was asked for, 16 bytes.
    package var accountDigest: [UInt8]?
    /// Keyed digests of class, access group and `sync`, 16 bytes each: of the items, else of the group that was named.
    package var scopes: [[UInt8]]
    /// The items that were given out, added, changed or removed.
    package var items: [ItemUUID]
    /// How many there were.
    package var itemCount: Int
    /// Whether a value was given out.
    package var givesValue: Bool
    /// How it failed; nil: it did not.
    package var result: KeychainError.Code?
    /// How long it took.
    package var microseconds: Int64
    /// Why the keychain was locked, for a lock that nobody asked for; nil: it is no lock, or the caller asked for it.
    package var lockReason: LockReason?

    package init(
        _ action: AuditAction, caller: Caller? = nil, itemClass: ItemClass? = nil, nameDigest: [UInt8]? = nil,
        accountDigest: [UInt8]? = nil, scopes: [[UInt8]] = [], items: [ItemUUID] = [], itemCount: Int = 0,
        givesValue: Bool = false, result: KeychainError.Code? = nil, microseconds: Int64 = 0,
        lockReason: LockReason? = nil
    ) {
        self.action = action
        self.caller = caller
        self.itemClass = itemClass
        self.nameDigest = nameDigest
        self.accountDigest = accountDigest
        self.scopes = scopes
        self.items = items
        self.itemCount = itemCount
        self.givesValue = givesValue
        self.result = result
        self.microseconds = microseconds
        self.lockReason = lockReason
    }
}

/// Where accesses are told besides the audit log: the journal.
package protocol AuditSink: AnyObject, Sendable {
    /// Takes note of an access that is in the log; called on the caller's thread before it has its answer.
    ///
    /// - Parameter sequence: the number of its line in the log.
    func note(_ event: AccessEvent, sequence: UInt64)
}
