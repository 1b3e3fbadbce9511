// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11

/// Seals and opens the keys that a keychain keeps beside its items: metadata keys, the index key, and the keys that the
/// host holds.
///
/// The blob is `Envelope`'s key layout; its associated data is `purpose 1 | format 1 | keychain 16 | class key 5`.
struct KeyEnvelope {
    enum Purpose: UInt8 {
        case metadataKey = 16
        case indexKey = 17
        case hostKey = 20

        var words: String {
            switch self {
            case .metadataKey: "metadata key"
            case .indexKey: "index key"
            case .hostKey: "class key"
            }
        }
    }

    let keychain: ItemUUID
    let purpose: Purpose

    private func associatedData(_ key: ClassKeyID) -> [UInt8] {
        [purpose.rawValue, Envelope.version] + keychain.bytes + key.encoded
    }

    /// The class key that a blob names, or nil for bytes that are no blob.
    static func classKey(of blob: [UInt8]) -> ClassKeyID? {
        guard blob.count >= Envelope.keyHeaderSize, let accessibility = Accessibility(rawValue: blob[2]) else {
            return nil
        }
        return ClassKeyID(accessibility, generation: blob[3..<7].reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The blob of a fresh 256-bit key.
    func sealFresh(
        under id: ClassKeyID, _ suite: Suite, _ sealing: any SealingKey
    ) throws(KeychainError) -> [UInt8] {
        let secret: SecretBytes
        do { secret = try RandomBytes.secret(Envelope.itemKeySize) } catch { throw KeychainError(error, .provision) }
        return try seal(secret, under: id, suite, sealing)
    }

    /// The blob of a key.
    func seal(
        _ secret: borrowing SecretBytes, under id: ClassKeyID, _ suite: Suite, _ sealing: any SealingKey
    ) throws(KeychainError) -> [UInt8] {
        let header = [Envelope.version, suite.rawValue] + id.encoded
        do { return try sealing.seal(secret, associatedData(id), behind: header) } catch {
            throw KeychainError(error, .provision)
        }
    }

    /// The key inside a blob; what the class key refuses is tried once more, as modules answer a bad tag and a fault of a
    /// moment alike.
    ///
    /// - Throws: `.storeDamaged` if the blob is not what was sealed; `.tokenFailed`.
    func open(
        _ blob: [UInt8], under id: ClassKeyID, _ suite: Suite, _ sealing: any SealingKey,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) -> SecretBytes {
        let size = Envelope.keyHeaderSize + sealing.sealedSize(of: Envelope.itemKeySize)
        guard blob.count == size, blob[0] == Envelope.version, blob[1] == suite.rawValue,
            blob[2..<7].elementsEqual(id.encoded)
        else { throw damaged(id, operation, "is no sealed key of this version") }
        let sealed = unsafe blob.span.bytes.extracting(Envelope.keyHeaderSize...)
        let opened: SecretBytes
        do throws(SealError) {
            do throws(SealError) { opened = try sealing.open(sealed, associatedData(id)) } catch {
                guard error.isRejected else { throw error }
                opened = try sealing.open(sealed, associatedData(id))
            }
        } catch {
            guard !error.isRejected else { throw damaged(id, operation, "fails authentication") }
            throw KeychainError(error, operation)
        }
        guard opened.count == Envelope.itemKeySize else { throw damaged(id, operation, "has a wrong size") }
        return opened
    }

    /// The same under a class key at work.
    func open(
        _ blob: [UInt8], under key: ClassKey, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> SecretBytes {
        try open(blob, under: key.id, key.suite, key.sealing, operation)
    }

    private func damaged(
        _ key: ClassKeyID, _ operation: KeychainError.Operation, _ fault: String
    ) -> KeychainError {
        KeychainError(
            .storeDamaged, operation, subject: .classKey(key.accessibility),
            cause: .format(place: purpose.words, fault: fault), remedy: .restoreFromBackup)
    }
}

extension SealingKey {
    /// `header`, and the sealed form of the secret behind it.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], behind header: [UInt8]
    ) throws(SealError) -> [UInt8] {
        var blob = header + [UInt8](repeating: 0, count: sealedSize(of: secret.count))
        try seal(secret, associatedData, into: &blob, at: header.count)
        return blob
    }
}
