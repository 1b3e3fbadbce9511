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
    ///
    /// - Parameter itemGuard: the guard of an item that needs a person or a password, mixed into the item key.
    package func sealValue(
        _ value: borrowing SecretBytes, binding: ItemBinding, itemGuard: ItemGuard? = nil,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [UInt8] {
        let format = itemGuard == nil ? Envelope.version : Envelope.guardedVersion
        let epoch = epoch
        let key = try classKey(binding.key, operation)
        do {
            let itemKey = try RandomBytes.secret(Envelope.itemKeySize)
            let keyStart = Envelope.valueHeaderSize
            let keySize = key.sealing.sealedSize(of: Envelope.itemKeySize)
            let nonceStart = keyStart + keySize
            let start = nonceStart + Envelope.nonceSize
            var blob = [UInt8](repeating: 0, count: start + value.count + Envelope.tagSize)
            blob[0] = format
            blob[1] = key.suite.rawValue
            blob.replaceSubrange(2..<7, with: binding.key.encoded)
            blob[7] = UInt8(keySize >> 8)
            blob[8] = UInt8(keySize & 255)
            try key.sealing.seal(
                itemKey, binding.associatedData(.itemKey, format: format), into: &blob, at: keyStart)
            let data = binding.associatedData(.value, format: format)
            let valueKey = try valueKey(itemKey, key.suite, binding, data, itemGuard, operation)
            try NonceSeal.seal(value, valueKey, data, into: &blob, at: nonceStart)
            return blob
        } catch {
            throw failure(error, binding.key, since: epoch, operation)
        }
    }

    /// Writes the value inside a sealed blob to `output`, which holds exactly its bytes; one token operation, or none if its
    /// item key is kept.
    ///
    /// - Parameter itemGuard: the opened guard of an item that has one.
    /// - Returns: whether the token was asked.
    @discardableResult
    package func openValue(
        _ blob: [UInt8], binding: ItemBinding, itemGuard: ItemGuard? = nil,
        into output: UnsafeMutableRawBufferPointer, _ operation: KeychainError.Operation
    ) throws(OpenFailure) -> Bool {
        let format = itemGuard == nil ? Envelope.version : Envelope.guardedVersion
        let layout: Envelope.ValueLayout
        do { layout = try Envelope.ValueLayout(blob, key: binding.key, isGuarded: itemGuard != nil) } catch {
            throw .damaged(error)
        }
        let bytes = unsafe blob.span.bytes
        var asked = true
        let itemKey = try itemKey(
            bytes.extracting(layout.sealedKey), layout.suite, binding, format, operation, &asked)
        let data = binding.associatedData(.value, format: format)
        let key: SecretBytes
        do throws(KeychainError) {
            key = try valueKey(itemKey, layout.suite, binding, data, itemGuard, operation)
        } catch {
            throw .unavailable(error)
        }
        do {
            unsafe try AESGCM.open(
                bytes.extracting(layout.ciphertext), key: key, nonce: bytes.extracting(layout.nonce),
                aad: data.span.bytes, into: output)
            return asked
        } catch {
            guard !error.isAuthenticationFailure else { throw .damaged(.notAuthentic) }
            throw .unavailable(KeychainError(error, operation))
        }
    }

    /// The sealed form of encoded attributes; no token call while the class's metadata key is open.
    ///
    /// - Throws: as `sealValue`.
    package func sealMetadata(
        _ encoded: borrowing SecretBytes, binding: ItemBinding, revision: Int64, itemGuard: ItemGuard? = nil,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [UInt8] {
        let key = try metadataKey(binding.key, operation)
        var blob = [itemGuard == nil ? Envelope.version : Envelope.guardedVersion] + binding.key.encoded
        if let header = itemGuard?.header { blob += [UInt8(header.count >> 8), UInt8(header.count & 255)] + header }
        let nonceStart = blob.count
        blob += [UInt8](repeating: 0, count: Envelope.nonceSize + encoded.count + Envelope.tagSize)
        do {
            try key.with { (key) throws(LibcryptoError) in
                if let itemGuard {
                    let data = binding.guardedMetadata(revision, itemGuard.header)
                    let mixed = try itemGuard.metadataKey(key, binding)
                    try NonceSeal.seal(encoded, mixed, data, into: &blob, at: nonceStart)
                } else {
                    let data = binding.associatedData(.metadata, revision: revision)
                    try NonceSeal.seal(encoded, key, data, into: &blob, at: nonceStart)
                }
            }
        } catch {
            throw KeychainError(error, operation)
        }
        return blob
    }

    /// The encoded attributes inside a sealed blob; no token call while the class's metadata key is open.
    ///
    /// - Parameter itemGuard: the opened guard of an item that has one.
    package func openMetadata(
        _ blob: [UInt8], binding: ItemBinding, revision: Int64, itemGuard: ItemGuard? = nil,
        _ operation: KeychainError.Operation
    ) throws(OpenFailure) -> SecretBytes {
        let layout = try Self.metadataLayout(blob, binding)
        guard itemGuard != nil || layout.guardHeader.isEmpty else {
            throw .unavailable(KeychainError(.presenceRequired, operation))
        }
        let key: MetadataKey
        do { key = try metadataKey(binding.key, operation) } catch { throw .unavailable(error) }
        let sealed = unsafe blob.span.bytes.extracting(layout.nonce.lowerBound...)
        do {
            return try key.with { (key) throws(LibcryptoError) in
                guard let itemGuard else {
                    return try NonceSeal.open(sealed, key, binding.associatedData(.metadata, revision: revision))
                }
                let mixed = try itemGuard.metadataKey(key, binding)
                return try NonceSeal.open(sealed, mixed, binding.guardedMetadata(revision, itemGuard.header))
            }
        } catch {
            guard !error.isAuthenticationFailure else { throw .damaged(.notAuthentic) }
            throw .unavailable(KeychainError(error, operation))
        }
    }

    /// The parts of sealed attributes; whether they are guarded has to be what the item's access control says.
    static func metadataLayout(_ blob: [UInt8], _ binding: ItemBinding) throws(OpenFailure) -> Envelope.MetadataLayout {
        let layout: Envelope.MetadataLayout
        do { layout = try Envelope.MetadataLayout(blob, key: binding.key) } catch { throw .damaged(error) }
        let mustBeGuarded = AccessControl(encoded: binding.accessControl)?.isGuarded ?? false
        guard layout.guardHeader.isEmpty != mustBeGuarded else { throw .damaged(.notAuthentic) }
        return layout
    }

    // MARK: - Private

    /// The key that seals a value: the item key, mixed with what else its class and its access control ask for.
    ///
    /// Anybody can seal to the public half of a pair, so under such a class key the value needs the metadata key of the
    /// class too: who can write to the store cannot put a value of theirs into an item.
    private func valueKey(
        _ itemKey: consuming SecretBytes, _ suite: Suite, _ binding: ItemBinding, _ data: [UInt8],
        _ itemGuard: ItemGuard?, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> SecretBytes {
        var key = itemKey
        do {
            if suite.isAsymmetric {
                key = try metadataKey(binding.key, operation).with { (secret) throws(LibcryptoError) in
                    try KeyDerivation.hkdf(
                        ItemGuard.joined(key, secret), info: Array("keyfob value 1".utf8) + data,
                        count: Envelope.itemKeySize)
                }
            }
            if let itemGuard { key = try itemGuard.mixed(into: key, data) }
        } catch let error as LibcryptoError {
            throw KeychainError(error, operation)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, operation)
        }
        return key
    }

    /// The item key inside its sealed form; one token operation.
    func openItemKey(
        _ sealed: RawSpan, _ suite: Suite, _ binding: ItemBinding, _ format: UInt8,
        _ operation: KeychainError.Operation
    ) throws(OpenFailure) -> SecretBytes {
        let epoch = epoch
        let key: ClassKey
        do { key = try classKey(binding.key, operation) } catch { throw .unavailable(error) }
        guard suite == key.suite else { throw .damaged(.unknownSuite(suite.rawValue)) }
        guard sealed.byteCount == key.sealing.sealedSize(of: Envelope.itemKeySize) else { throw .damaged(.truncated) }
        let opened: SecretBytes?
        do {
            opened = try openIfWhole(sealed, under: key, binding.associatedData(.itemKey, format: format))
        } catch {
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
    ) throws(SealError) -> SecretBytes? {
        do throws(SealError) { return try key.sealing.open(sealed, associatedData) } catch {
            guard error.isRejected, sentinelOpens(under: key) else { throw error }
        }
        do throws(SealError) { return try key.sealing.open(sealed, associatedData) } catch {
            guard error.isRejected else { throw error }
            return nil
        }
    }

    private func sentinelOpens(under key: ClassKey) -> Bool {
        guard let record = records[key.id] else { return false }
        let envelope = KeyEnvelope(keychain: keychain, purpose: .metadataKey)
        do {
            _ = try envelope.open(record.sealedMetadataKey, under: key, .verify)
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
        case let error as SealError:
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
