// SPDX-License-Identifier: Apache-2.0

/// What a line of the audit log tells of; the raw value is the word in the log (docs/audit.md).
package enum AuditAction: String, CaseIterable, Hashable, Sendable {
    // MARK: - On items

    case add
    /// A copy that asked for values.
    case read
    /// A copy that asked for anything but values.
    case find
    case update
    case delete

    // MARK: - On the keychain

    case unlock
    case lock
    /// The user PIN was changed.
    case changePIN = "change-pin"
    /// The security officer set a new user PIN.
    case unblock
    /// The items of an access group went to another.
    case move
    /// Every item was opened.
    case verify
    /// The log itself was read.
    case audit
    /// The log itself was verified.
    case auditVerify = "audit-verify"
    /// The access policies were read anew.
    case reload
    case start
    case stop

    // MARK: - Of the log itself

    /// The token has sealed the chain up to a place.
    case checkpoint
    /// The log was not as it had been left.
    case recovered
    /// Lines could not be written before this one.
    case lost
}
