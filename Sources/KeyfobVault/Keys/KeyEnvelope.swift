// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11

/// Seals and opens the keys that a keychain keeps beside its items: metadata keys and the index key.
///
/// The blob is `Envelope`'s key layout; its associated data is `purpose 1 | format 1 | keychain 16 | class key 5`.
struct KeyEnvelope {
    enum Purpose: UInt8 {
        case metadataKey = 16
        case indexKey = 17
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

    /// The blob of a fresh 256-bit key, sealed by one token call under the class key at `handle`.
    func sealFresh(under id: ClassKeyID, at handle: ObjectHandle, on token: Token) throws(KeychainError) -> [UInt8] {
        do {
            let secret = try RandomBytes.secret(Envelope.itemKeySize)
            let header = [Envelope.version, Suite.aesGCM.rawValue] + id.encoded
            return header + (try TokenSeal(token).seal(secret, under: handle, associatedData(id)))
        } catch let error as LibcryptoError {
            throw KeychainError(error, .provision)
        } catch let error as PKCS11Error {
            throw KeychainError(error, .provision)
        } catch {
            throw KeychainError(.internalError, .provision)
        }
    }

    /// The key inside a blob, opened by one token call, or two if the token refuses the first.
    ///
    /// - Throws: `.itemDamaged` if the blob is not what was sealed; `.tokenFailed`.
    func open(
        _ blob: [UInt8], under key: ClassKey, on token: Token, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> SecretBytes {
        let size = Envelope.keyHeaderSize + Envelope.sealedItemKeySize
        guard blob.count == size, blob[0] == Envelope.version, blob[1] == Suite.aesGCM.rawValue,
            blob[2..<7].elementsEqual(key.id.encoded)
        else { throw damaged(key.id, operation, "is no sealed key of this version") }
        let opened: SecretBytes
        do { opened = try openTwice(blob, under: key, on: token) } catch {
            guard !error.isRejectedCiphertext else { throw damaged(key.id, operation, "fails authentication") }
            throw KeychainError(error, operation)
        }
        guard opened.count == Envelope.itemKeySize else { throw damaged(key.id, operation, "has a wrong size") }
        return opened
    }

    /// Tries once more what the token refused: modules answer a bad tag and a fault of a moment alike.
    private func openTwice(
        _ blob: [UInt8], under key: ClassKey, on token: Token
    ) throws(PKCS11Error) -> SecretBytes {
        let sealed = unsafe blob.span.bytes.extracting(Envelope.keyHeaderSize...)
        do throws(PKCS11Error) {
            return try TokenSeal(token).open(sealed, under: key.handle, associatedData(key.id))
        } catch {
            guard error.isRejectedCiphertext else { throw error }
        }
        return try TokenSeal(token).open(sealed, under: key.handle, associatedData(key.id))
    }

    private func damaged(
        _ key: ClassKeyID, _ operation: KeychainError.Operation, _ fault: String
    ) -> KeychainError {
        let place =
            switch purpose {
            case .metadataKey: "metadata key"
            case .indexKey: "index key"
            }
        return KeychainError(
            .storeDamaged, operation, subject: .classKey(key.accessibility),
            cause: .format(place: place, fault: fault), remedy: .restoreFromBackup)
    }
}
