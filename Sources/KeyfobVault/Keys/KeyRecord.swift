// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What the store keeps of a class key; nothing in it is secret without the token.
package struct KeyRecord: Hashable, Sendable {
    package let id: ClassKeyID
    package let suite: Suite
    package let residence: Residence
    /// The class key wrapped by the keychain's wrapping key; for `.unwrappedSession` only.
    package let wrapped: [UInt8]?
    /// The metadata key of the class, sealed by the class key.
    package let sealedMetadataKey: [UInt8]

    package init(
        id: ClassKeyID, suite: Suite, residence: Residence, wrapped: [UInt8]?, sealedMetadataKey: [UInt8]
    ) {
        self.id = id
        self.suite = suite
        self.residence = residence
        self.wrapped = wrapped
        self.sealedMetadataKey = sealedMetadataKey
    }
}
