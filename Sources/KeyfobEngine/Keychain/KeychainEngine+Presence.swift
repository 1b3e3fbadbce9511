// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

extension KeychainEngine {
    /// Makes the presence key with the PIN that the token has just taken, unless the keychain has one, or it was found that the token can have
    /// none, or the configuration wants none.
    ///
    /// The login is good whatever comes of it: what fails is told to the log and tried again at the next one. Until then
    /// items that need a person are refused with `.notProvisioned`.
    func providePresenceKey(_ pin: borrowing SecretBytes) {
        guard core.vault.presenceRecord == nil else { return }
        do throws(KeychainError) {
            try core.vault.findPresenceKey(pin) { reason in
                Log.shared.warning("keychain \(home.path): no items that need a person: \(reason)")
            } keep: { (record) throws(KeychainError) in
                try core.store.write(.provision) { (transaction) throws(KeychainError) in
                    try transaction.insertClassKey(record.stored)
                }
                if record.suite != nil { Log.shared.notice("keychain \(home.path): presence key made") }
            }
        } catch {
            Log.shared.warning(
                "keychain \(home.path): no presence key yet: error \(error.code.rawValue) of docs/errors.md")
        }
    }
}

extension PresenceRecord {
    /// What stands in the place of an accessibility class in the store.
    static let classNumber: UInt8 = 254
    /// The suite of a finding that there is no key.
    private static let noSuite: UInt8 = 0

    /// The configuration wants no key, which the store does not remember.
    static let unwanted = PresenceRecord(generation: 0, suite: nil, sealedPublicKey: [])

    /// The newest presence key among stored class keys, or nil.
    static func newest(of records: [ClassKeyRecord]) -> PresenceRecord? {
        let own = records.filter { $0.classKey == classNumber }
        return own.max { $0.generation < $1.generation }.flatMap { PresenceRecord($0) }
    }

    /// Nil if a newer Keyfob wrote it.
    private init?(_ record: ClassKeyRecord) {
        let suite = PresenceSuite(rawValue: record.suite)
        guard suite != nil || record.suite == Self.noSuite else { return nil }
        self.init(generation: record.generation, suite: suite, sealedPublicKey: record.metadataKey)
    }

    /// The store's view of what was found.
    var stored: ClassKeyRecord {
        ClassKeyRecord(
            classKey: Self.classNumber, generation: generation, suite: suite?.rawValue ?? Self.noSuite,
            residence: Residence.tokenPrivate.rawValue, state: 1, wrapped: nil, metadataKey: sealedPublicKey)
    }
}
