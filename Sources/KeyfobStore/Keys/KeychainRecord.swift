// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What the store holds about the keychain as a whole: the one row of table `keychain`.
package struct KeychainRecord: Hashable, Sendable {
    /// The keychain's UUID, 16 bytes.
    package var uuid: [UInt8]
    /// When it was created, in whole seconds since 2001-01-01 UTC.
    package var created: Int64
    /// The token it is bound to.
    package var token: TokenIdentity
    /// The key of the search digests, sealed.
    package var indexKey: [UInt8]

    package init(uuid: [UInt8], created: Int64, token: TokenIdentity, indexKey: [UInt8]) {
        self.uuid = uuid
        self.created = created
        self.token = token
        self.indexKey = indexKey
    }
}
