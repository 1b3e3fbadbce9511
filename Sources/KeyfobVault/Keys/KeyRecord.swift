// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What the store keeps of a class key; nothing in it is secret without the token.
package struct KeyRecord: Hashable, Sendable {
    package let id: ClassKeyID
    /// What the class's object on the token does.
    package let suite: Suite
    package let residence: Residence
    package let material: KeyMaterial
    /// The metadata key of the class, sealed by the class key.
    package let sealedMetadataKey: [UInt8]

    package init(
        id: ClassKeyID, suite: Suite, residence: Residence, material: KeyMaterial = KeyMaterial(),
        sealedMetadataKey: [UInt8]
    ) {
        self.id = id
        self.suite = suite
        self.residence = residence
        self.material = material
        self.sealedMetadataKey = sealedMetadataKey
    }

    /// What the blobs under the class key are sealed by: a key that the host holds seals in the host.
    package var blobSuite: Suite { residence == .hostHeld ? .aesGCM : suite }

    /// When the class key works: a `dk` key that the host holds does so from the first unlock only.
    package var availability: Accessibility.Availability {
        let promised = id.accessibility.availability
        return promised == .always && residence == .hostHeld ? .afterFirstUnlock : promised
    }
}
