// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11

/// Why a sealed blob did not open.
package enum OpenFailure: Error, Hashable, Sendable {
    /// The blob is at fault, the key works: this row alone is lost.
    case damaged(Envelope.Fault)
    /// The key is at fault (locked, gone, token broken): the row may be whole.
    case unavailable(KeychainError)
}

extension Vault {
    /// The sealed form of a value, under an item key made for it; one token operation.
    ///
    /// - Throws: `.interactionNotAllowed` if the class is locked, `.notAvailable`, `.tokenFailed`.
    package func sealValue(
        _ value: borrowing SecretBytes, binding: ItemBinding, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [UInt8] {
        let epoch = epoch
        let key = try classKey(binding.key, operation)
        do {
            let itemKey = try RandomBytes.secret(Envelope.itemKeySize)
            let keyStart = Envelope.valueHeaderSize
            let nonceStart = keyStart + Envelope.sealedItemKeySize
            let start = nonceStart + Envelope.nonceSize
            var blob = [UInt8](repeating: 0, count: start + value.count + Envelope.tagSize)
            blob[0] = Envelope.version
            blob[1] = Suite.aesGCM.rawValue
            blob.replaceSubrange(2..<7, with: binding.key.encoded)
            blob[7] = UInt8(Envelope.sealedItemKeySize >> 8)
            blob[8] = UInt8(Envelope.sealedItemKeySize & 255)
            try TokenSeal(token).write(
                itemKey, under: key.handle, binding.associatedData(.itemKey), into: &blob, at: keyStart)
            try Self.seal(value, itemKey, binding.associatedData(.value), into: &blob, nonceAt: nonceStart)
            return blob
        } catch {
            throw failure(error, binding.key, since: epoch, operation)
        }
    }

    /// Writes the value inside a sealed blob to `output`, which holds exactly its bytes; one token operation.
    package func openValue(
        _ blob: [UInt8], binding: ItemBinding, into output: UnsafeMutableRawBufferPointer,
        _ operation: KeychainError.Operation
    ) throws(OpenFailure) {
        let layout: Envelope.ValueLayout
        do { layout = try Envelope.ValueLayout(blob, key: binding.key) } catch { throw .damaged(error) }
        let bytes = unsafe blob.span.bytes
        let itemKey = try openItemKey(bytes.extracting(layout.sealedKey), binding, operation)
        do {
            unsafe try AESGCM.open(
                bytes.extracting(layout.ciphertext), key: itemKey, nonce: bytes.extracting(layout.nonce),
                aad: binding.associatedData(.value).span.bytes, into: output)
        } catch {
            guard !error.isAuthenticationFailure else { throw .damaged(.notAuthentic) }
            throw .unavailable(KeychainError(error, operation))
        }
    }

    /// The sealed form of encoded attributes; no token call while the class's metadata key is open.
    ///
    /// - Throws: as `sealValue`.
    package func sealMetadata(
        _ encoded: borrowing SecretBytes, binding: ItemBinding, revision: Int64, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [UInt8] {
        let key = try metadataKey(binding.key, operation)
        let nonceStart = Envelope.metadataHeaderSize
        let size = nonceStart + Envelope.nonceSize + encoded.count + Envelope.tagSize
        var blob = [UInt8](repeating: 0, count: size)
        blob[0] = Envelope.version
        blob.replaceSubrange(1..<6, with: binding.key.encoded)
        do {
            try key.with { (key) throws(LibcryptoError) in
                try Self.seal(
                    encoded, key, binding.associatedData(.metadata, revision: revision), into: &blob,
                    nonceAt: nonceStart)
            }
        } catch {
            throw KeychainError(error, operation)
        }
        return blob
    }

    /// The encoded attributes inside a sealed blob; no token call while the class's metadata key is open.
    package func openMetadata(
        _ blob: [UInt8], binding: ItemBinding, revision: Int64, _ operation: KeychainError.Operation
    ) throws(OpenFailure) -> SecretBytes {
        let start = Envelope.metadataHeaderSize + Envelope.nonceSize
        guard blob.count >= start + Envelope.tagSize else { throw .damaged(.truncated) }
        guard blob[0] == Envelope.version else { throw .damaged(.unknownVersion(blob[0])) }
        guard blob[1..<6].elementsEqual(binding.key.encoded) else { throw .damaged(.otherClassKey) }
        let key: MetadataKey
        do { key = try metadataKey(binding.key, operation) } catch { throw .unavailable(error) }
        let bytes = unsafe blob.span.bytes
        do {
            return try key.with { (key) throws(LibcryptoError) in
                unsafe try AESGCM.open(
                    bytes.extracting(start...), key: key,
                    nonce: bytes.extracting(Envelope.metadataHeaderSize..<start),
                    aad: binding.associatedData(.metadata, revision: revision).span.bytes)
            }
        } catch {
            guard !error.isAuthenticationFailure else { throw .damaged(.notAuthentic) }
            throw .unavailable(KeychainError(error, operation))
        }
    }

    // MARK: - Private

    private static func seal(
        _ plaintext: borrowing SecretBytes, _ key: borrowing SecretBytes, _ associatedData: [UInt8],
        into blob: inout [UInt8], nonceAt nonceStart: Int
    ) throws(LibcryptoError) {
        let start = nonceStart + Envelope.nonceSize
        let nonce = try RandomBytes.bytes(Envelope.nonceSize)
        blob.replaceSubrange(nonceStart..<start, with: nonce)
        try plaintext.withBytes { (plaintext) throws(LibcryptoError) in
            var bytes = blob.mutableSpan
            unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(LibcryptoError) in
                unsafe try AESGCM.seal(
                    plaintext, key: key, nonce: nonce.span.bytes, aad: associatedData.span.bytes,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            }
        }
    }

    private func openItemKey(
        _ sealed: RawSpan, _ binding: ItemBinding, _ operation: KeychainError.Operation
    ) throws(OpenFailure) -> SecretBytes {
        let epoch = epoch
        let key: ClassKey
        do { key = try classKey(binding.key, operation) } catch { throw .unavailable(error) }
        let opened: SecretBytes?
        do { opened = try openIfWhole(sealed, under: key, binding.associatedData(.itemKey)) } catch {
            throw .unavailable(failure(error, binding.key, since: epoch, operation))
        }
        guard let opened else { throw .damaged(.notAuthentic) }
        guard opened.count == Envelope.itemKeySize else { throw .damaged(.malformed) }
        return opened
    }

    /// What is inside a blob; nil if the blob is damaged: the token refuses it twice, and opens another in between.
    ///
    /// Modules answer a bad tag, a broken token and one that failed for a moment alike, and what is damaged may give way
    /// to a new item.
    func openIfWhole(
        _ sealed: RawSpan, under key: ClassKey, _ associatedData: [UInt8]
    ) throws(PKCS11Error) -> SecretBytes? {
        let seal = TokenSeal(token)
        do throws(PKCS11Error) { return try seal.open(sealed, under: key.handle, associatedData) } catch {
            guard error.isRejectedCiphertext, sentinelOpens(under: key) else { throw error }
        }
        do throws(PKCS11Error) { return try seal.open(sealed, under: key.handle, associatedData) } catch {
            guard error.isRejectedCiphertext else { throw error }
            return nil
        }
    }

    private func sentinelOpens(under key: ClassKey) -> Bool {
        guard let record = records[key.id] else { return false }
        let envelope = KeyEnvelope(keychain: keychain, purpose: .metadataKey)
        do {
            _ = try envelope.open(record.sealedMetadataKey, under: key, on: token, .verify)
            return true
        } catch {
            return false
        }
    }

    /// The error of a failed seal or open: a key that went away because the keychain was locked meanwhile is locked, even
    /// if it was unlocked again since.
    ///
    /// - Parameter epoch: what `epoch` was before the call began.
    func failure(
        _ error: any Error, _ key: ClassKeyID, since epoch: Int, _ operation: KeychainError.Operation
    ) -> KeychainError {
        switch error {
        case let error as PKCS11Error:
            return failure(KeychainError(error, operation), key, since: epoch, operation)
        case let error as KeychainError:
            if error.isOfToken {
                notice(error, about: key, since: epoch)
                if wasLocked(key, since: epoch) { return outOfReach(key, operation) }
            }
            return error
        case let error as LibcryptoError:
            return KeychainError(error, operation)
        default:
            return KeychainError(.internalError, operation)
        }
    }
}

extension Vault {
    /// A new item's identity: random.
    package static func freshUUID(_ operation: KeychainError.Operation) throws(KeychainError) -> ItemUUID {
        do {
            guard let uuid = ItemUUID(try RandomBytes.bytes(16)) else { throw KeychainError(.internalError, operation) }
            return uuid
        } catch let error as LibcryptoError {
            throw KeychainError(error, operation)
        } catch {
            throw KeychainError(.internalError, operation)
        }
    }

    /// SHA-1 over the SHA-1 of an item's encoded attributes and that of its value (`sha1` of Apple's results).
    package func itemDigest(
        _ metadata: RawSpan, _ value: RawSpan, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [UInt8] {
        do {
            let parts = try HashFunction.sha1.digest(metadata) + HashFunction.sha1.digest(value)
            return unsafe try HashFunction.sha1.digest(parts.span.bytes)
        } catch {
            throw KeychainError(error, operation)
        }
    }
}
