// SPDX-License-Identifier: Apache-2.0

/// The caps of the protocol (docs/wire.md): each is checked before anything of that size is allocated.
package enum WireLimits {
    /// The version of the protocol that this build speaks.
    package static let version: UInt8 = 1
    /// The most bytes after a frame's header.
    package static let bodySize = 64 << 20
    /// The most bytes of one value in a request.
    package static let valueSize = 16 << 20
    /// The most bytes of a PIN.
    package static let pinSize = 1024
    /// The most attributes of one item or query.
    package static let attributes = 64
    /// The most lines of the audit log in one answer.
    package static let auditRecords = 10_000
    /// The most text filters of one query.
    package static let textFilters = 16
    /// The most bytes of one attribute, group or other text.
    package static let textSize = 1 << 20
}
