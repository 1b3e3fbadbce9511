// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11
internal import Synchronization

/// The proof after a logout (docs/adr/0004): what was usable by the login is refused now.
extension Vault {
    /// Shows that the token refuses keys now: an operation with the old handles (those of copies and of the objects that
    /// were copied) fails, a search finds no object.
    ///
    /// A token that fails this is made to forget by force (`Token.forgetLogin`), which takes its session objects with it:
    /// after-first-unlock keys that were such are gone then, and the keychain is before first unlock. Then a search must
    /// find nothing; no handle of before names anything any more.
    ///
    /// - Parameter adopted: objects that were there before the keychain, and may be those of `keys`.
    /// - Throws: `.residenceRefused` if a key stays usable, `.tokenFailed`.
    func proveUnusable(
        _ keys: [ClassKey], and adopted: [KeyObject], _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        let left: Accessibility?
        do { left = try usableClass(keys, and: adopted) } catch { throw KeychainError(error, operation) }
        guard let left else { return }
        try forget(left, "C_Logout", operation)
        let isShown: Bool
        do { isShown = try isFound(keys, and: adopted) } catch { throw KeychainError(error, operation) }
        guard !isShown else { throw leftUsable(left, "C_Logout", operation) }
    }

    /// Makes the token forget a login that a changed PIN may have made, on a card whose pair others can use, too.
    func forgetChangedPIN() throws(KeychainError) {
        guard let record = records.values.first(where: { $0.material.objectID != nil }) else { return }
        try making.withLock { (_) throws(KeychainError) in
            try forget(record.id.accessibility, "C_SetPIN", .changePIN)
        }
    }

    /// The objects that were on the token before the keychain and that class keys use, as far as a search finds them.
    func adoptedObjects() throws(PKCS11Error) -> [KeyObject] {
        let searches = Set(records.values.flatMap(\.adoptedSearches))
        guard !searches.isEmpty else { return [] }
        return try token.withSession { (session) throws(PKCS11Error) in
            var found: [KeyObject] = []
            for search in searches {
                for handle in try session.find(search.kind.search(search.id), limit: 2) {
                    found.append(KeyObject(handle: handle, kind: search.kind, isMade: false))
                }
            }
            return found
        }
    }

    /// Throws if the public half of an adopted pair can be read and is not that of the store: another card, for which a
    /// PIN must not be tried.
    ///
    /// - Throws: `.wrongToken`.
    func requireAdoptedPair(_ operation: KeychainError.Operation) throws(KeychainError) {
        guard let record = records.values.first(where: { $0.material.objectID != nil }),
            let id = record.material.objectID, let known = record.material.publicHalf
        else { return }
        let told: PublicHalf?
        do throws(SealError) {
            told = try AdoptedPair.publicHalf(id, record.suite, on: token)
        } catch {
            let failure = KeychainError(error, operation)
            notice(failure, about: nil, since: epoch)
            throw failure
        }
        guard let told, told.encoded != known else { return }
        throw KeychainError(
            .wrongToken, operation, subject: .token(token.identity),
            cause: .format(place: "token", fault: "has another pair of the same CKA_ID than the keychain's"),
            remedy: .insertToken)
    }

    // MARK: - Private

    /// The class of a key that the token still uses or shows; nil: there is none.
    private func usableClass(
        _ keys: [ClassKey], and adopted: [KeyObject]
    ) throws(PKCS11Error) -> Accessibility? {
        for key in keys {
            for object in key.objects where try object.kind.isAccepted(object.handle, on: token) {
                return key.id.accessibility
            }
            if try isFound([key], and: []) { return key.id.accessibility }
        }
        var isUsable = false
        for object in adopted where !isUsable { isUsable = try object.kind.isAccepted(object.handle, on: token) }
        if !isUsable { isUsable = try isFound([], and: adopted) }
        guard isUsable else { return nil }
        return records.values.first { $0.material.objectID != nil }?.id.accessibility
    }

    /// Whether a search finds an object of the keys, or an adopted one.
    private func isFound(_ keys: [ClassKey], and adopted: [KeyObject]) throws(PKCS11Error) -> Bool {
        var searches: Set<ObjectSearch> = []
        for key in keys {
            let id = records[key.id]?.material.objectID ?? KeyName(key.id, of: keychain).id
            for object in key.objects { searches.insert(ObjectSearch(kind: object.kind, id: id)) }
        }
        if !adopted.isEmpty { searches.formUnion(records.values.flatMap(\.adoptedSearches)) }
        guard !searches.isEmpty else { return false }
        return try token.withSession { (session) throws(PKCS11Error) in
            for search in searches where try !session.find(search.kind.search(search.id), limit: 1).isEmpty {
                return true
            }
            return false
        }
    }

    /// Makes the token forget, and lets go of every key that lived in a session.
    private func forget(
        _ accessibility: Accessibility, _ function: String, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        state.withLock { $0.forgettings += 1 }
        let outcome = Result<Bool, PKCS11Error> { () throws(PKCS11Error) in try token.forgetLogin() }
        // Whatever came of it, the module may have been started anew.
        letDeadSessionsGo()
        state.withLock { $0.forgettings += 1 }
        let isForgotten: Bool
        do { isForgotten = try outcome.get() } catch { throw KeychainError(error, operation) }
        guard isForgotten else { throw leftUsable(accessibility, function, operation) }
    }

    private func letDeadSessionsGo() {
        let gone = state.withLock { state in
            let gone = state.classKeys.values.filter { $0.isDead }
            for key in gone { state.classKeys[key.id] = nil }
            guard gone.contains(where: { availability(of: $0.id) == .afterFirstUnlock }) else { return gone }
            _ = state.machine.handle(.keysLetGo)
            return gone
        }
        // Of a session that is dead nothing is left to close.
        _ = (gone, takeKeysOut())
    }

    private func leftUsable(
        _ accessibility: Accessibility, _ function: String, _ operation: KeychainError.Operation
    ) -> KeychainError {
        KeychainError(
            .residenceRefused, operation, subject: .classKey(accessibility),
            cause: .format(place: function, fault: "left the key usable"), remedy: .insertToken)
    }
}

/// What finds an object of a class key.
struct ObjectSearch: Hashable, Sendable {
    let kind: KeyObjectKind
    let id: [UInt8]
}

extension KeyRecord {
    /// What finds the objects that were on the token before the keychain.
    var adoptedSearches: [ObjectSearch] {
        guard let id = material.objectID else { return [] }
        return suite.objectKinds.map { ObjectSearch(kind: $0, id: id) }
    }
}
