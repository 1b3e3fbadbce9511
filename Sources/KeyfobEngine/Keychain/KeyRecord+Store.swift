// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

extension KeyRecord {
    /// The vault's view of a stored class key; nil (and the class is unavailable) if a newer Keyfob wrote it.
    init?(_ record: ClassKeyRecord) {
        guard let accessibility = Accessibility(rawValue: record.classKey), let suite = Suite(rawValue: record.suite),
            let residence = Residence(rawValue: record.residence)
        else { return nil }
        self.init(
            id: ClassKeyID(accessibility, generation: record.generation), suite: suite, residence: residence,
            wrapped: record.wrapped, sealedMetadataKey: record.metadataKey)
    }

    /// The store's view of a class key that was just made.
    var stored: ClassKeyRecord {
        ClassKeyRecord(
            classKey: id.accessibility.rawValue, generation: id.generation, suite: suite.rawValue,
            residence: residence.rawValue, state: 1, wrapped: wrapped, metadataKey: sealedMetadataKey)
    }
}
