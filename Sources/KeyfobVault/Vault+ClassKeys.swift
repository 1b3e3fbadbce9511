// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11
internal import Synchronization

extension Vault {
    /// The class key, ready for work; the first use after an unlock copies it into a session (find, copy, read back).
    ///
    /// - Throws: `.interactionNotAllowed` if the class is locked, `.notAvailable` if the token has no such key,
    ///   `.residenceRefused` if the token made a copy that could be read.
    func classKey(_ id: ClassKeyID, _ operation: KeychainError.Operation) throws(KeychainError) -> ClassKey {
        noteUse(of: id.accessibility.availability)
        if let existing = state.withLock({ $0.classKeys[id] }) { return existing }
        return try making.withLock { (_) throws(KeychainError) in try make(id, operation) }
    }

    /// Makes a class key, unless another thread has done so meanwhile; `making` is held.
    private func make(_ id: ClassKeyID, _ operation: KeychainError.Operation) throws(KeychainError) -> ClassKey {
        let (existing, lock, epoch) = state.withLock { ($0.classKeys[id], $0.lock, $0.epoch) }
        if let existing { return existing }
        guard lock.allows(id.accessibility.availability) else { throw outOfReach(id, operation) }
        guard let record = records[id] else {
            throw KeychainError(.notAvailable, operation, subject: .classKey(id.accessibility), remedy: .provision)
        }
        let made: ClassKey
        do throws(KeychainError) {
            made =
                switch record.residence {
                case .tokenPrivate: try sessionCopy(of: id, isPrivate: true, operation)
                case .tokenPublic: try Self.publicClassKey(id, of: keychain, on: token)
                case .unwrappedSession: try unwrap(record, operation)
                case .copiedSession: try sessionCopy(of: id, isPrivate: false, operation)
                }
        } catch {
            // A lock that came in between shows as whatever the token had to say about it.
            throw failure(error, id, since: epoch, operation)
        }
        guard !wasLocked(id, since: epoch) else { throw outOfReach(id, operation) }
        state.withLock { $0.classKeys[id] = made }
        return made
    }

    /// The metadata key of a class, opened by one token call at its first use after an unlock.
    ///
    /// - Throws: as `classKey`; `.storeDamaged` if the sealed key was changed.
    func metadataKey(_ id: ClassKeyID, _ operation: KeychainError.Operation) throws(KeychainError) -> MetadataKey {
        let (existing, lock, epoch) = state.withLock { ($0.metadataKeys[id], $0.lock, $0.epoch) }
        guard lock.allows(id.accessibility.availability) else { throw outOfReach(id, operation) }
        noteUse(of: id.accessibility.availability)
        if let existing { return existing }
        let key = try classKey(id, operation)
        guard let record = records[id] else {
            throw KeychainError(.notAvailable, operation, subject: .classKey(id.accessibility), remedy: .provision)
        }
        let envelope = KeyEnvelope(keychain: keychain, purpose: .metadataKey)
        let opened: MetadataKey
        do throws(KeychainError) {
            opened = MetadataKey(try envelope.open(record.sealedMetadataKey, under: key, on: token, operation))
        } catch {
            throw failure(error, id, since: epoch, operation)
        }
        return state.withLock { state in
            if let other = state.metadataKeys[id] { return other }
            if state.epoch == epoch { state.metadataKeys[id] = opened }
            return opened
        }
    }

    /// The public session copy of a `dk` or `dku` key: needs no login.
    static func publicClassKey(
        _ id: ClassKeyID, of keychain: ItemUUID, on token: Token
    ) throws(KeychainError) -> ClassKey {
        try copy(id, of: keychain, on: token, isPrivate: false, .open)
    }

    private func sessionCopy(
        of id: ClassKeyID, isPrivate: Bool, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> ClassKey {
        try Self.copy(id, of: keychain, on: token, isPrivate: isPrivate, operation)
    }

    private static func copy(
        _ id: ClassKeyID, of keychain: ItemUUID, on token: Token, isPrivate: Bool,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) -> ClassKey {
        let name = KeyName(id, of: keychain)
        let session = try open(token, operation)
        let original: ObjectHandle
        let handle: ObjectHandle
        do {
            original = try find(name, id, in: session, operation)
            handle = try session.copyObject(original, ClassKeyTemplate.sessionCopy(isPrivate: isPrivate))
        } catch let error as PKCS11Error {
            throw KeychainError(error, operation)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, operation)
        }
        try ClassKeyTemplate.verify(handle, in: session, id, isPrivate: isPrivate, onToken: false, operation)
        return ClassKey(id, handle: handle, copyOf: original, in: session)
    }

    private func unwrap(
        _ record: KeyRecord, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> ClassKey {
        let session = try Self.open(token, operation)
        let handle: ObjectHandle
        do {
            let wrapping = KeyName(wrappingKeyOf: keychain, generation: record.id.generation)
            let key = try Self.find(wrapping, record.id, in: session, operation)
            let unwrapped = try AfterFirstUnlock.unwrapIfWhole(
                record.wrapped ?? [], by: key, as: KeyName(record.id, of: keychain), in: session)
            guard let unwrapped else {
                throw KeychainError(
                    .storeDamaged, operation, subject: .classKey(record.id.accessibility),
                    cause: .format(place: "wrapped key", fault: "is refused by the token"), remedy: .restoreFromBackup)
            }
            handle = unwrapped
        } catch let error as PKCS11Error {
            throw KeychainError(error, operation)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, operation)
        }
        try ClassKeyTemplate.verify(handle, in: session, record.id, isPrivate: false, onToken: false, operation)
        return ClassKey(record.id, handle: handle, in: session)
    }

    /// A session for a class key: one that can stay when the security officer logs in, if the token has one.
    static func open(_ token: Token, _ operation: KeychainError.Operation) throws(KeychainError) -> Session {
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

    /// The one token object of a name.
    private static func find(
        _ name: KeyName, _ id: ClassKeyID, in session: borrowing Session, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> ObjectHandle {
        let found: [ObjectHandle]
        do { found = try session.find(ClassKeyTemplate.search(name), limit: 2) } catch {
            throw KeychainError(error, operation)
        }
        guard found.count == 1 else {
            let fault = found.isEmpty ? "is not on the token" : "is on the token more than once"
            throw KeychainError(
                .notAvailable, operation, subject: .classKey(id.accessibility),
                cause: .format(place: name.label, fault: fault), remedy: .insertToken)
        }
        return found[0]
    }
}
