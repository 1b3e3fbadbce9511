// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

extension KeyRecord {
    /// The vault's view of a stored class key; nil (and the class is unavailable) if it was destroyed, or a newer Keyfob
    /// wrote it.
    init?(_ record: ClassKeyRecord) {
        guard !record.isDestroyed, let accessibility = Accessibility(rawValue: record.classKey),
            let suite = Suite(rawValue: record.suite),
            let residence = Residence(rawValue: record.residence),
            let material = Self.material(record.wrapped, suite, residence)
        else { return nil }
        self.init(
            id: ClassKeyID(accessibility, generation: record.generation), suite: suite, residence: residence,
            material: material, sealedMetadataKey: record.metadataKey)
    }

    /// What the store keeps of a class key; nil for bytes that are none of ours.
    private static func material(_ bytes: [UInt8]?, _ suite: Suite, _ residence: Residence) -> KeyMaterial? {
        // Stores of version 1 have the wrapped key bare: an AES-256 key is 40 bytes then, and more in any other form.
        if let bytes, suite == .aesGCM, residence == .unwrappedSession, bytes.count == 40 {
            var material = KeyMaterial()
            material.wrapped = [WrappedKey(.aes, bytes)]
            return material
        }
        return KeyMaterial(encoded: bytes)
    }

    /// The store's view of a class key that was just made.
    var stored: ClassKeyRecord {
        ClassKeyRecord(
            classKey: id.accessibility.rawValue, generation: id.generation, suite: suite.rawValue,
            residence: residence.rawValue, state: ClassKeyRecord.inUse, wrapped: material.encoded,
            metadataKey: sealedMetadataKey
        )
    }
}

extension ClassKeyRecord {
    /// State of a class key that works.
    static let inUse: UInt8 = 1
    /// State of one that is gone: the row keeps its generation from being used again.
    static let destroyed: UInt8 = 2

    /// Whether the class key is gone.
    var isDestroyed: Bool { state == Self.destroyed }

    /// Whether it is a key of the class that exists only while a passcode is set.
    var isOfPasscodeClass: Bool { classKey == Accessibility.whenPasscodeSetThisDeviceOnly.rawValue }

    /// What is left of the record of a class key that is gone.
    var buried: ClassKeyRecord {
        var buried = self
        buried.state = Self.destroyed
        buried.wrapped = nil
        buried.metadataKey = []
        return buried
    }
}
