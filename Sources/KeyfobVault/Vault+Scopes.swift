// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
package import KeyfobMemory
package import KeyfobModel

/// Names of compartments (item class, access group, synchronizable), sealed under the metadata key of the `dk` class:
/// readable in every state, and to nobody without the token.
///
/// The blob is `Envelope`'s metadata layout; its associated data is `purpose 4 | format 1 | keychain 16 | digest 32`.
extension Vault {
    /// The sealed form of an encoded name.
    package func sealScopeName(_ encoded: borrowing SecretBytes, digest: [UInt8]) throws(KeychainError) -> [UInt8] {
        let id = try currentKey(for: .always, .add)
        let key = try metadataKey(id, .add)
        let start = Envelope.metadataHeaderSize + Envelope.nonceSize
        do {
            var blob = [Envelope.version] + id.encoded
            blob += try RandomBytes.bytes(Envelope.nonceSize)
            blob += [UInt8](repeating: 0, count: encoded.count + Envelope.tagSize)
            let nonce = Array(blob[Envelope.metadataHeaderSize..<start])
            try key.with { (key) throws(LibcryptoError) in
                try encoded.withBytes { (plaintext) throws(LibcryptoError) in
                    var bytes = blob.mutableSpan
                    unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(LibcryptoError) in
                        unsafe try AESGCM.seal(
                            plaintext, key: key, nonce: nonce.span.bytes, aad: scopeData(digest).span.bytes,
                            into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
                    }
                }
            }
            return blob
        } catch {
            throw failure(error, id, since: epoch, .add)
        }
    }

    /// The encoded name inside a sealed one.
    package func openScopeName(_ blob: [UInt8], digest: [UInt8]) throws(OpenFailure) -> SecretBytes {
        let start = Envelope.metadataHeaderSize + Envelope.nonceSize
        guard blob.count >= start + Envelope.tagSize else { throw .damaged(.truncated) }
        guard blob[0] == Envelope.version else { throw .damaged(.unknownVersion(blob[0])) }
        let generation = blob[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard blob[1] == Accessibility.always.rawValue else { throw .damaged(.otherClassKey) }
        let key: MetadataKey
        do { key = try metadataKey(ClassKeyID(.always, generation: generation), .copyMatching) } catch {
            throw .unavailable(error)
        }
        let bytes = unsafe blob.span.bytes
        do {
            return try key.with { (key) throws(LibcryptoError) in
                unsafe try AESGCM.open(
                    bytes.extracting(start...), key: key, nonce: bytes.extracting(Envelope.metadataHeaderSize..<start),
                    aad: scopeData(digest).span.bytes)
            }
        } catch {
            guard !error.isAuthenticationFailure else { throw .damaged(.notAuthentic) }
            throw .unavailable(KeychainError(error, .copyMatching))
        }
    }

    private func scopeData(_ digest: [UInt8]) -> [UInt8] {
        [4, Envelope.version] + keychain.bytes + digest
    }
}
