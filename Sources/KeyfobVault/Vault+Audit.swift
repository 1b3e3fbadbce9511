// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11

/// Checkpoints of the audit log, sealed by the `dk` class key on the token: they can be made and looked into in every
/// lock state, and by nobody who cannot use the token.
///
/// The blob is `version 1 | suite 1 | class key 5 | sealed checkpoint`; its associated data is
/// `purpose 18 | version 1 | keychain 16 | class key 5` (docs/audit.md).
extension Vault {
    /// The class key that new checkpoints are sealed under.
    package func checkpointKey() throws(KeychainError) -> ClassKeyID { try currentKey(for: .always, .audit) }

    /// Seals a checkpoint by one token operation.
    ///
    /// - Throws: `.notAvailable`, `.tokenFailed`, `.outOfMemory`.
    package func sealCheckpoint(
        _ checkpoint: AuditCheckpoint, under id: ClassKeyID
    ) throws(KeychainError) -> [UInt8] {
        let key = try classKey(id, .audit)
        do {
            let secret = try SecretBytes(copying: checkpoint.encoded)
            let header = [Envelope.version, key.suite.rawValue] + id.encoded
            return try key.sealing.seal(secret, checkpointData(id), behind: header)
        } catch let error as SealError {
            throw KeychainError(error, .audit)
        } catch let error as SecretMemoryError {
            throw KeychainError(error, .audit)
        } catch {
            throw KeychainError(.internalError, .audit)
        }
    }

    /// The checkpoint inside a sealed one, by one token operation; nil if this keychain's token did not make it, which
    /// takes three to be sure of.
    ///
    /// - Throws: `.notAvailable` if its class key is gone, `.tokenFailed`.
    package func openCheckpoint(_ blob: [UInt8]) throws(KeychainError) -> AuditCheckpoint? {
        guard blob.count > Envelope.keyHeaderSize, blob[0] == Envelope.version,
            let id = KeyEnvelope.classKey(of: blob), id.accessibility == .always, records[id] != nil
        else { return nil }
        let key = try classKey(id, .audit)
        guard blob[1] == key.suite.rawValue,
            blob.count == Envelope.keyHeaderSize + key.sealing.sealedSize(of: AuditCheckpoint.encodedSize)
        else { return nil }
        let opened: SecretBytes?
        do {
            opened = unsafe try openIfWhole(
                blob.span.bytes.extracting(Envelope.keyHeaderSize...), under: key, checkpointData(id))
        } catch {
            throw KeychainError(error, .audit)
        }
        guard let opened else { return nil }
        return AuditCheckpoint(encoded: opened.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } })
    }

    private func checkpointData(_ id: ClassKeyID) -> [UInt8] {
        [18, Envelope.version] + keychain.bytes + id.encoded
    }
}
