// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory

extension ItemGuard {
    /// The key that seals the value: HKDF-SHA-256 of the item key and the secrets.
    func mixed(into itemKey: borrowing SecretBytes, _ info: [UInt8]) throws(LibcryptoError) -> SecretBytes {
        try Self.derive(itemKey, secrets, info, count: Envelope.itemKeySize)
    }

    /// The key that seals the attributes: of the metadata key of the class and the secrets.
    func metadataKey(_ classMetadataKey: borrowing SecretBytes, _ binding: ItemBinding) throws(LibcryptoError)
        -> SecretBytes
    {
        var both = try Self.keyAndCheck(classMetadataKey, secrets, binding)
        both.truncate(to: Envelope.itemKeySize)
        return both
    }

    /// The check of secrets.
    static func check(
        _ classMetadataKey: borrowing SecretBytes, _ secrets: borrowing SecretBytes, _ binding: ItemBinding
    ) throws(LibcryptoError) -> [UInt8] {
        let both = try keyAndCheck(classMetadataKey, secrets, binding)
        return both.withBytes { unsafe $0.extracting(Envelope.itemKeySize...).withUnsafeBytes { unsafe Array($0) } }
    }

    /// One secret after the other.
    static func joined(
        _ first: borrowing SecretBytes, _ second: borrowing SecretBytes
    ) throws(LibcryptoError) -> SecretBytes {
        let split = first.count
        var joined: SecretBytes
        do { joined = try SecretBytes(count: split + second.count) } catch {
            throw LibcryptoError(call: error.name, fault: .memory(error))
        }
        unsafe joined.withUnsafeMutableBytes { joined in
            unsafe first.withUnsafeBytes { unsafe joined.copyMemory(from: $0) }
            unsafe second.withUnsafeBytes { second in
                unsafe UnsafeMutableRawBufferPointer(rebasing: joined[split...]).copyMemory(from: second)
            }
        }
        return joined
    }

    private static func keyAndCheck(
        _ key: borrowing SecretBytes, _ secrets: borrowing SecretBytes, _ binding: ItemBinding
    ) throws(LibcryptoError) -> SecretBytes {
        let info = binding.associatedData(.guardCheck, format: Envelope.guardedVersion)
        return try derive(key, secrets, info, count: Envelope.itemKeySize + checkSize)
    }

    private static func derive(
        _ key: borrowing SecretBytes, _ secrets: borrowing SecretBytes, _ info: [UInt8], count: Int
    ) throws(LibcryptoError) -> SecretBytes {
        try KeyDerivation.hkdf(joined(key, secrets), info: info, count: count)
    }
}

extension ItemBinding {
    /// The associated data of guarded attributes: the header is bound too.
    func guardedMetadata(_ revision: Int64, _ header: [UInt8]) -> [UInt8] {
        associatedData(.metadata, revision: revision, format: Envelope.guardedVersion) + header
    }
}
