// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobVault

extension KeychainCore {
    /// The `sha1` attribute: changes whenever attributes or value do, and says nothing else.
    func itemDigest(
        _ attributes: AttributeSet, _ values: borrowing SecretBytes?, in range: Range<Int>? = nil,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) -> AttributeValue {
        let encoded: SecretBytes
        do { encoded = try AttributeCodec.encode(attributes) } catch { throw KeychainError(error, operation) }
        let digest: [UInt8]
        switch values {
        case .some(let values):
            digest = try encoded.withBytes { (metadata) throws(KeychainError) in
                try values.withBytes { (all) throws(KeychainError) in
                    let range = range ?? 0..<all.byteCount
                    return try vault.itemDigest(metadata, all.extracting(range), operation)
                }
            }
        case .none:
            digest = try encoded.withBytes { (metadata) throws(KeychainError) in
                unsafe try vault.itemDigest(metadata, [UInt8]().span.bytes, operation)
            }
        }
        return .data(WipedBytes(digest))
    }
}
