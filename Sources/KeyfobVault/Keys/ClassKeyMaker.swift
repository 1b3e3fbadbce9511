// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11

/// Makes class keys work: finds, copies, unwraps or opens what the store's record says.
struct ClassKeyMaker {
    let keychain: ItemUUID
    let token: Token
    let operation: KeychainError.Operation

    init(_ keychain: ItemUUID, _ token: Token, _ operation: KeychainError.Operation) {
        self.keychain = keychain
        self.token = token
        self.operation = operation
    }

    /// The class key at work.
    ///
    /// - Throws: `.notAvailable` if the token does not have it, `.residenceRefused` if what the token made could be read,
    ///   `.storeDamaged` if the record is of no use, `.tokenFailed`.
    func make(_ record: KeyRecord) throws(KeychainError) -> ClassKey {
        switch record.residence {
        case .tokenPrivate: try fromToken(record, isPrivate: true)
        case .tokenPublic, .copiedSession: try fromToken(record, isPrivate: false)
        case .unwrappedSession: try unwrapped(record)
        case .hostHeld: ClassKey(record.id, held: HostSealing(try held(record)))
        }
    }

    /// Copies of secret keys in a session, which work several times faster than the token's objects and can be destroyed;
    /// the token's own private key of a pair.
    private func fromToken(_ record: KeyRecord, isPrivate: Bool) throws(KeychainError) -> ClassKey {
        let session = try session()
        let originals = try originals(of: record, in: session)
        guard !record.suite.isAsymmetric else {
            try verify(originals, of: record, isPrivate: isPrivate, in: session)
            let objects = originals.map { KeyObject(handle: $0.0, kind: $0.1, isMade: false) }
            return ClassKey(
                record.id, record.suite, try proven(record, originals.map(\.0), in: session), objects: objects,
                in: session)
        }
        var copies: [KeyObject] = []
        for (original, kind) in originals {
            let copy: ObjectHandle
            do throws(PKCS11Error) {
                copy = try session.copyObject(original, ClassKeyTemplate.sessionCopy(isPrivate: isPrivate))
            } catch {
                throw KeychainError(error, operation)
            }
            try ClassKeyTemplate.verify(
                copy, kind, in: session, record.id, isPrivate: isPrivate, onToken: false, operation)
            copies.append(KeyObject(handle: copy, kind: kind, isMade: true))
        }
        let sealing = try sealing(record, copies.map(\.handle))
        // A copy that outlives the logout says nothing of the original, which does not.
        let sources = originals.map { KeyObject(handle: $0.0, kind: $0.1, isMade: false) }
        return ClassKey(record.id, record.suite, sealing, objects: copies + sources, in: session)
    }

    private func unwrapped(_ record: KeyRecord) throws(KeychainError) -> ClassKey {
        let session = try session()
        let wrapped = record.material.wrapped
        guard wrapped.count == record.suite.objectKinds.count else { throw damaged(record.id, nil) }
        let wrapping = KeyName(wrappingKeyOf: keychain, generation: record.id.generation)
        var objects: [KeyObject] = []
        for (key, kind) in zip(wrapped, record.suite.objectKinds) {
            let template = ClassKeyTemplate.search(wrapping, key.wrap.objectClass)
            let source = try one(template, wrapping.label, record.id, in: session)
            let unwrapped: ObjectHandle?
            do throws(PKCS11Error) {
                unwrapped = try AfterFirstUnlock.unwrapIfWhole(
                    key, kind, by: source, as: KeyName(record.id, of: keychain), in: session)
            } catch {
                throw KeychainError(error, operation)
            }
            guard let handle = unwrapped else {
                throw damaged(record.id, .format(place: "wrapped key", fault: "is refused by the token"))
            }
            try ClassKeyTemplate.verify(
                handle, kind, in: session, record.id, isPrivate: false, onToken: false, operation)
            objects.append(KeyObject(handle: handle, kind: kind, isMade: true))
        }
        let sealing = try sealing(record, objects.map(\.handle))
        return ClassKey(record.id, record.suite, sealing, objects: objects, in: session)
    }

    /// The key that the host holds, opened by the class's object on the token: one token operation.
    private func held(_ record: KeyRecord) throws(KeychainError) -> SecretBytes {
        let session = try session()
        let objects = try originals(of: record, in: session)
        try verify(objects, of: record, isPrivate: true, in: session)
        let sealing = try sealing(record, objects.map(\.0))
        guard let blob = record.material.held else { throw damaged(record.id, nil) }
        return try KeyEnvelope(keychain: keychain, purpose: .hostKey)
            .open(blob, under: record.id, record.suite, sealing, operation)
    }

    // MARK: - Objects

    /// The token's objects of a class key, in the order of its suite.
    private func originals(
        of record: KeyRecord, in session: borrowing Session
    ) throws(KeychainError) -> [(ObjectHandle, KeyObjectKind)] {
        let name = KeyName(record.id, of: keychain)
        var found: [(ObjectHandle, KeyObjectKind)] = []
        for kind in record.suite.objectKinds {
            let template = kind.search(record.material.objectID ?? name.id)
            found.append((try one(template, name.label, record.id, in: session), kind))
        }
        return found
    }

    /// Reads back the token's own objects, where no copy of them is made that would be read back.
    private func verify(
        _ originals: [(ObjectHandle, KeyObjectKind)], of record: KeyRecord, isPrivate: Bool,
        in session: borrowing Session
    ) throws(KeychainError) {
        for (handle, kind) in originals {
            guard record.material.objectID != nil else {
                try ClassKeyTemplate.verify(
                    handle, kind, in: session, record.id, isPrivate: isPrivate, onToken: true, operation)
                continue
            }
            let fault: String?
            do { fault = try AdoptedPair.fault(of: handle, in: session) } catch {
                throw KeychainError(error, operation)
            }
            guard let fault else { continue }
            throw KeychainError(
                .residenceRefused, operation, subject: .classKey(record.id.accessibility),
                cause: .format(place: "the key on the token", fault: fault))
        }
    }

    private func one(
        _ template: Template, _ label: String, _ id: ClassKeyID, in session: borrowing Session
    ) throws(KeychainError) -> ObjectHandle {
        let found: [ObjectHandle]
        do { found = try session.find(template, limit: 2) } catch { throw KeychainError(error, operation) }
        guard found.count == 1 else {
            let fault = found.isEmpty ? "is not on the token" : "is on the token more than once"
            throw KeychainError(
                .notAvailable, operation, subject: .classKey(id.accessibility),
                cause: .format(place: label, fault: fault), remedy: .insertToken)
        }
        return found[0]
    }

    private func sealing(_ record: KeyRecord, _ objects: [ObjectHandle]) throws(KeychainError) -> any SealingKey {
        let half: PublicHalf?
        do {
            half = try record.material.publicHalf.flatMap { try PublicHalf(encoded: $0, record.suite) }
        } catch let error as LibcryptoError {
            throw KeychainError(error, operation)
        } catch {
            throw KeychainError(.internalError, operation)
        }
        guard let sealing = record.suite.sealing(token, objects, half) else { throw damaged(record.id, nil) }
        return sealing
    }

    /// The same, after the token has shown that the public half in the store is that of its key.
    ///
    /// Else whoever can write to the store could have new items sealed to a key of theirs. RSA keys tell theirs; a point takes
    /// one derivation.
    private func proven(
        _ record: KeyRecord, _ objects: [ObjectHandle], in session: borrowing Session
    ) throws(KeychainError) -> any SealingKey {
        let sealing = try sealing(record, objects)
        let isProven: Bool
        do throws(SealError) {
            if let told = try objects.first.flatMap({ (object) throws(SealError) in
                try PublicHalf(of: object, record.suite, in: session)
            }) {
                isProven = told.encoded == record.material.publicHalf
            } else {
                isProven = try sealing.opensOwnSeal()
            }
        } catch {
            throw KeychainError(error, operation)
        }
        guard isProven else {
            throw damaged(
                record.id, .format(place: "public half", fault: "is not that of the key on the token"))
        }
        return sealing
    }

    private func damaged(_ id: ClassKeyID, _ cause: KeychainError.Cause?) -> KeychainError {
        KeychainError(
            .storeDamaged, operation, subject: .classKey(id.accessibility),
            cause: cause ?? .format(place: "class key", fault: "is no key of this version"), remedy: .restoreFromBackup)
    }

    /// A session for a class key: one that can stay when the security officer logs in, if the token has one.
    private func session() throws(KeychainError) -> Session {
        do throws(PKCS11Error) {
            do throws(PKCS11Error) {
                return try token.openSession(readWrite: true)
            } catch {
                guard error.returnValue?.kind == .readOnly || error.returnValue?.kind == .exhausted else { throw error }
                return try token.openSession(readWrite: false)
            }
        } catch {
            throw KeychainError(error, operation)
        }
    }
}
