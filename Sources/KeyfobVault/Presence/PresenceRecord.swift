// SPDX-License-Identifier: Apache-2.0

/// How a presence key seals (docs/store-format.md, Presence): RSA-OAEP with the hash that the token was found to have.
///
/// The numbers continue those of `Suite`.
package enum PresenceSuite: UInt8, Hashable, Sendable {
    case rsaOAEPSHA1 = 2
    case rsaOAEPSHA256 = 3
}

/// What the store keeps of a presence key, or of the finding that the token cannot have one.
package struct PresenceRecord: Hashable, Sendable {
    /// Counts up from 1.
    package let generation: UInt32
    /// Nil: the token was found not to ask for the PIN at each use, so there is no key.
    package let suite: PresenceSuite?
    /// The public half, sealed under a `dk` class key; empty without a key.
    package let sealedPublicKey: [UInt8]

    package init(generation: UInt32, suite: PresenceSuite?, sealedPublicKey: [UInt8]) {
        self.generation = generation
        self.suite = suite
        self.sealedPublicKey = sealedPublicKey
    }
}
