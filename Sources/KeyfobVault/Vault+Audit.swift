// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11

/// Checkpoints of the audit log, sealed by the `dk` class key on the token: they can be made and looked into in every
/// lock state, and by nobody who cannot use the token.
///
/// The blob is `version 1 | suite 1 | class key 5 | IV 12 | ciphertext 48 | tag 16`; its associated data is
/// `purpose 18 | version 1 | keychain 16 | class key 5` (docs/audit.md).
extension Vault {
    private static let checkpointSize =
        Envelope.keyHeaderSize + Envelope.nonceSize + AuditCheckpoint.encodedSize + Envelope.tagSize

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
            let header = [Envelope.version, Suite.aesGCM.rawValue] + id.encoded
            return header + (try TokenSeal(token).seal(secret, under: key.handle, checkpointData(id)))
        } catch let error as PKCS11Error {
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
        guard blob.count == Self.checkpointSize, blob[0] == Envelope.version, blob[1] == Suite.aesGCM.rawValue,
            let id = KeyEnvelope.classKey(of: blob), id.accessibility == .always, records[id] != nil
        else { return nil }
        let key = try classKey(id, .audit)
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
