// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
package import KeyfobPKCS11

/// Makes the class keys of a new keychain on its token (docs/architecture.md, Keys).
///
/// Decides by doing: each kind of key is tried out before the real one is made, and every real one is read back. If a
/// step fails, what was made before it is destroyed again.
package struct Provisioner: ~Copyable {
    /// What the store has to keep.
    package struct Keys: Sendable {
        package let records: [KeyRecord]
        package let sealedIndexKey: [UInt8]
    }

    let keychain: ItemUUID
    private let token: Token
    let session: Session
    private var made: [ObjectHandle] = []

    /// Makes every class key, generation 1, and hands them to `keep`, which stores what belongs to them.
    ///
    /// Logs in, and out again at the end. If `keep` throws or the token cannot be logged out, the keys are destroyed: what
    /// `keep` stored is then the caller's to take back.
    ///
    /// - Throws: what `Vault.unlock` throws about the PIN; `.residenceRefused` if the token cannot keep a class key as
    ///   its promise demands; `.tokenFailed`.
    package static func run(
        keychain: ItemUUID, token: Token, pin: borrowing SecretBytes, progress: (ProvisioningStep) -> Void,
        keep: (Keys) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        do { try token.login(pin) } catch { throw KeychainError(login: error, token: token) }
        try runLoggedIn(keychain, token, progress, keep)
    }

    /// The same with a PIN that a person enters on the device.
    package static func runWithPINOnDevice(
        keychain: ItemUUID, token: Token, progress: (ProvisioningStep) -> Void,
        keep: (Keys) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        do { try token.loginProtected() } catch { throw KeychainError(login: error, token: token) }
        try runLoggedIn(keychain, token, progress, keep)
    }

    private static func runLoggedIn(
        _ keychain: ItemUUID, _ token: Token, _ progress: (ProvisioningStep) -> Void,
        _ keep: (Keys) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        do throws(KeychainError) {
            var provisioner = try Provisioner(keychain: keychain, token: token)
            do throws(KeychainError) {
                try keep(provisioner.makeAll(progress))
                do { try token.logout() } catch { throw KeychainError(error, .provision) }
            } catch {
                provisioner.destroyMade()
                throw error
            }
        } catch {
            // The step that failed is the error to tell.
            try? token.logout()
            throw error
        }
    }

    init(keychain: ItemUUID, token: Token) throws(KeychainError) {
        self.keychain = keychain
        self.token = token
        do { session = try token.openSession(readWrite: true) } catch { throw KeychainError(error, .provision) }
    }

    private mutating func makeAll(_ progress: (ProvisioningStep) -> Void) throws(KeychainError) -> Keys {
        progress(.probing)
        let residence = try TokenProbe.afterFirstUnlockResidence(in: session, of: token)
        var records: [KeyRecord] = []
        var sealedIndexKey: [UInt8] = []
        var wrapping: ObjectHandle?
        for accessibility in Accessibility.allCases {
            progress(.making(accessibility))
            let id = ClassKeyID(accessibility, generation: 1)
            switch accessibility.availability {
            case .whileUnlocked:
                records.append(try tokenKey(id, .tokenPrivate))
            case .always:
                records.append(try tokenKey(id, .tokenPublic))
            case .afterFirstUnlock where residence == .copiedSession:
                records.append(try tokenKey(id, .copiedSession))
            case .afterFirstUnlock:
                let key: ObjectHandle
                if let wrapping { key = wrapping } else { key = try wrappingKey() }
                wrapping = key
                records.append(try wrappedKey(id, by: key))
            }
            guard accessibility == .always, let handle = made.last else { continue }
            sealedIndexKey = try KeyEnvelope(keychain: keychain, purpose: .indexKey)
                .sealFresh(under: id, at: handle, on: token)
        }
        return Keys(records: records, sealedIndexKey: sealedIndexKey)
    }

    mutating func tokenKey(_ id: ClassKeyID, _ residence: Residence) throws(KeychainError) -> KeyRecord {
        let isPrivate = residence != .tokenPublic
        let template = ClassKeyTemplate.tokenKey(KeyName(id, of: keychain), isPrivate: isPrivate)
        let handle = try generate(template)
        try ClassKeyTemplate.verify(handle, in: session, id, isPrivate: isPrivate, onToken: true, .provision)
        return KeyRecord(
            id: id, suite: .aesGCM, residence: residence, wrapped: nil,
            sealedMetadataKey: try sealMetadataKey(id, at: handle))
    }

    private mutating func wrappingKey() throws(KeychainError) -> ObjectHandle {
        let template = ClassKeyTemplate.wrappingKey(KeyName(wrappingKeyOf: keychain, generation: 1))
        do throws(KeychainError) {
            return try generate(template)
        } catch {
            // A token that does not know the attribute gets a key without it (docs/adr/0004).
            return try generate(template.without(.unwrapTemplate))
        }
    }

    private func wrappedKey(_ id: ClassKeyID, by wrapping: ObjectHandle) throws(KeychainError) -> KeyRecord {
        let name = KeyName(id, of: keychain)
        let blob: [UInt8]
        let handle: ObjectHandle
        do {
            blob = try AfterFirstUnlock.make(name, wrappedBy: wrapping, in: session)
            handle = try AfterFirstUnlock.unwrap(blob, by: wrapping, as: name, in: session)
        } catch {
            throw KeychainError(error, .provision)
        }
        try ClassKeyTemplate.verify(handle, in: session, id, isPrivate: false, onToken: false, .provision)
        let sealed = try sealMetadataKey(id, at: handle)
        do { try session.destroyObject(handle) } catch { throw KeychainError(error, .provision) }
        return KeyRecord(
            id: id, suite: .aesGCM, residence: .unwrappedSession, wrapped: blob, sealedMetadataKey: sealed)
    }

    private func sealMetadataKey(_ id: ClassKeyID, at handle: ObjectHandle) throws(KeychainError) -> [UInt8] {
        try KeyEnvelope(keychain: keychain, purpose: .metadataKey).sealFresh(under: id, at: handle, on: token)
    }

    private mutating func generate(_ template: Template) throws(KeychainError) -> ObjectHandle {
        do {
            let handle = try session.generateKey(.aesKeyGeneration, template)
            made.append(handle)
            return handle
        } catch {
            throw KeychainError(error, .provision)
        }
    }

    func destroyMade() {
        for handle in made {
            // The step that failed is the error to tell; a key that stays behind is named by its label.
            try? session.destroyObject(handle)
        }
    }
}
