// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
package import KeyfobMemory
package import KeyfobModel

/// Names of compartments (item class, access group, synchronizable), sealed under the metadata key of the `dk` class:
/// readable whenever that class works, and to nobody without the token.
///
/// The blob is `Envelope`'s metadata layout; its associated data is `purpose 4 | format 1 | keychain 16 | digest 32`.
extension Vault {
    /// The sealed form of an encoded name.
    package func sealScopeName(_ encoded: borrowing SecretBytes, digest: [UInt8]) throws(KeychainError) -> [UInt8] {
        try sealBeside(encoded, scopeData(digest), .add)
    }

    /// The encoded name inside a sealed one.
    package func openScopeName(_ blob: [UInt8], digest: [UInt8]) throws(OpenFailure) -> SecretBytes {
        try openBeside(blob, scopeData(digest), .copyMatching)
    }

    private func scopeData(_ digest: [UInt8]) -> [UInt8] {
        [4, Envelope.version] + keychain.bytes + digest
    }

    // MARK: - Under the metadata key of the `dk` class

    /// Seals what the keychain keeps beside its items, under the newest `dk` class's metadata key.
    func sealBeside(
        _ plaintext: borrowing SecretBytes, _ associatedData: [UInt8], _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [UInt8] {
        let id = try currentKey(for: .always, operation)
        let key = try metadataKey(id, operation)
        var blob = [Envelope.version] + id.encoded
        blob += [UInt8](repeating: 0, count: Envelope.nonceSize + plaintext.count + Envelope.tagSize)
        do throws(LibcryptoError) {
            try key.with { (key) throws(LibcryptoError) in
                try NonceSeal.seal(plaintext, key, associatedData, into: &blob, at: Envelope.metadataHeaderSize)
            }
        } catch {
            throw KeychainError(error, operation)
        }
        return blob
    }

    /// What `sealBeside` sealed.
    func openBeside(
        _ blob: [UInt8], _ associatedData: [UInt8], _ operation: KeychainError.Operation
    ) throws(OpenFailure) -> SecretBytes {
        guard let id = Envelope.classKey(ofMetadata: blob) else { throw .damaged(.truncated) }
        guard id.accessibility == .always else { throw .damaged(.otherClassKey) }
        let layout: Envelope.MetadataLayout
        do { layout = try Envelope.MetadataLayout(blob, key: id) } catch { throw .damaged(error) }
        guard layout.guardHeader.isEmpty else { throw .damaged(.notAuthentic) }
        let key: MetadataKey
        do { key = try metadataKey(id, operation) } catch { throw .unavailable(error) }
        let bytes = unsafe blob.span.bytes
        do {
            return try key.with { (key) throws(LibcryptoError) in
                try NonceSeal.open(bytes.extracting(layout.nonce.lowerBound...), key, associatedData)
            }
        } catch {
            guard !error.isAuthenticationFailure else { throw .damaged(.notAuthentic) }
            throw .unavailable(KeychainError(error, operation))
        }
    }
}
