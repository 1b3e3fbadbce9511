// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
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
        guard lock.allows(availability(of: id)) else { throw outOfReach(id, operation) }
        guard let record = records[id] else {
            throw KeychainError(.notAvailable, operation, subject: .classKey(id.accessibility), remedy: .provision)
        }
        let made: ClassKey
        do throws(KeychainError) {
            made = try ClassKeyMaker(keychain, token, operation).make(record)
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
        guard lock.allows(availability(of: id)) else { throw outOfReach(id, operation) }
        noteUse(of: id.accessibility.availability)
        if let existing { return existing }
        let key = try classKey(id, operation)
        guard let record = records[id] else {
            throw KeychainError(.notAvailable, operation, subject: .classKey(id.accessibility), remedy: .provision)
        }
        let envelope = KeyEnvelope(keychain: keychain, purpose: .metadataKey)
        let opened: MetadataKey
        do throws(KeychainError) {
            opened = MetadataKey(try envelope.open(record.sealedMetadataKey, under: key, operation))
        } catch {
            throw failure(error, id, since: epoch, operation)
        }
        return state.withLock { state in
            if let other = state.metadataKeys[id] { return other }
            if state.epoch == epoch { state.metadataKeys[id] = opened }
            return opened
        }
    }

    /// The index by which items are found, opened by one token call at its first use; works in every state that the `dk`
    /// class works in.
    ///
    /// - Throws: as `classKey`; `.storeDamaged` if the sealed key was changed.
    package func index(_ operation: KeychainError.Operation) throws(KeychainError) -> ItemIndex {
        let (existing, epoch) = state.withLock { ($0.index, $0.epoch) }
        if let existing { return existing }
        let key = try classKey(indexClassKey, operation)
        let opened: ItemIndex
        do throws(KeychainError) {
            opened = try openIndex(under: key, operation)
        } catch {
            throw failure(error, key.id, since: epoch, operation)
        }
        return state.withLock { state in
            if let other = state.index { return other }
            if state.epoch == epoch { state.index = opened }
            return opened
        }
    }

    /// The index if it works now, without asking anybody.
    package var indexIfOpen: ItemIndex? { state.withLock { $0.index } }

    func openIndex(under key: ClassKey, _ operation: KeychainError.Operation) throws(KeychainError) -> ItemIndex {
        let opened = try KeyEnvelope(keychain: keychain, purpose: .indexKey).open(sealedIndexKey, under: key, operation)
        do { return try ItemIndex(key: opened) } catch { throw KeychainError(error, operation) }
    }
}
