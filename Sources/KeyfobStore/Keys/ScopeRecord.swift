// SPDX-License-Identifier: Apache-2.0

/// One combination of item class, access group and synchronizable flag: a row of table `scopes`.
package struct ScopeRecord: Hashable, Sendable {
    /// The store's number for it.
    package let id: Int64
    /// The keyed digest of the three.
    package let digest: [UInt8]
    /// The three, sealed.
    package let sealed: [UInt8]
}
