// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
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
    /// Objects that nobody needs when every key is made.
    private var waste: [ObjectHandle] = []

    /// Makes every class key, generation 1, and hands them to `keep`, which stores what belongs to them.
    ///
    /// Logs in, and out again at the end. If `keep` throws or the token cannot be logged out, the keys are destroyed: what
    /// `keep` stored is then the caller's to take back.
    ///
    /// - Throws: what `Vault.unlock` throws about the PIN; `.residenceRefused` if the token cannot keep a class key as
    ///   its promise demands; `.tokenFailed`.
    package static func run(
        keychain: ItemUUID, token: Token, _ policy: KeyPolicy = KeyPolicy(), pin: borrowing SecretBytes,
        progress: (ProvisioningStep) -> Void, keep: (Keys) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try run(keychain, token, policy, progress, keep) { () throws(PKCS11Error) in try token.login(pin) }
    }

    /// The same with a PIN that a person enters on the device, twice: what is to work without a login is tried without one.
    package static func runWithPINOnDevice(
        keychain: ItemUUID, token: Token, _ policy: KeyPolicy = KeyPolicy(), progress: (ProvisioningStep) -> Void,
        keep: (Keys) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try run(keychain, token, policy, progress, keep) { () throws(PKCS11Error) in try token.loginProtected() }
    }

    private static func run(
        _ keychain: ItemUUID, _ token: Token, _ policy: KeyPolicy, _ progress: (ProvisioningStep) -> Void,
        _ keep: (Keys) throws(KeychainError) -> Void, _ login: () throws(PKCS11Error) -> Void
    ) throws(KeychainError) {
        do { try login() } catch { throw KeychainError(login: error, token: token) }
        do throws(KeychainError) {
            var provisioner = try Provisioner(keychain: keychain, token: token)
            do throws(KeychainError) {
                progress(.probing)
                let plan = try provisioner.plan(policy, login)
                try keep(provisioner.makeAll(plan, progress))
                do { try token.logout() } catch { throw KeychainError(error, .provision) }
                try plan.adopted?.proveUnusable(on: token)
            } catch {
                provisioner.destroyMade()
                throw error
            }
        } catch {
            // The step that failed is the error to tell.
            try? token.logout()
            _ = try? token.forgetLoginOfDevice()
            throw error
        }
    }

    init(keychain: ItemUUID, token: Token) throws(KeychainError) {
        self.keychain = keychain
        self.token = token
        do throws(PKCS11Error) {
            do throws(PKCS11Error) { session = try token.openSession(readWrite: true) } catch {
                // A card that nothing is written to has a pair to adopt all the same.
                guard error.returnValue?.kind == .readOnly else { throw error }
                session = try token.openSession(readWrite: false)
            }
        } catch {
            throw KeychainError(error, .provision)
        }
    }

    /// What the token can do; a pair that is on it already needs no such trial.
    private func plan(
        _ policy: KeyPolicy, _ login: () throws(PKCS11Error) -> Void
    ) throws(KeychainError) -> KeyPlan {
        if let objectID = policy.objectID {
            let pair = try AdoptedPair.find(objectID, policy.suite, on: token, in: session)
            guard policy.allowsHostHeld else {
                throw KeychainError(
                    .residenceRefused, .provision, subject: .token(token.identity),
                    cause: .format(place: "after-first-unlock key", fault: "cannot be kept inside the token"),
                    remedy: .allowHostHeld)
            }
            return KeyPlan(adopting: pair)
        }
        return try TokenProbe(token, policy, keychain: keychain).plan(in: session, login)
    }

    private mutating func makeAll(
        _ plan: KeyPlan, _ progress: (ProvisioningStep) -> Void
    ) throws(KeychainError) -> Keys {
        var records: [KeyRecord] = []
        var sealedIndexKey: [UInt8] = []
        var wrapping: WrappingKey?
        for accessibility in Accessibility.allCases {
            progress(.making(accessibility))
            let id = ClassKeyID(accessibility, generation: 1)
            let residence = plan.residence(accessibility)
            let made: Made
            if residence == .unwrappedSession, let wrap = plan.wrap {
                let key: WrappingKey
                if let wrapping { key = wrapping } else { key = try wrappingKey(wrap) }
                wrapping = key
                made = try wrappedKey(id, plan.suite, wrap, by: key)
            } else if let pair = plan.adopted {
                made = try adoptedKey(id, pair)
            } else {
                made = try tokenKey(id, plan.suite, residence)
            }
            records.append(made.record)
            if accessibility == .always {
                sealedIndexKey = try KeyEnvelope(keychain: keychain, purpose: .indexKey)
                    .sealFresh(under: id, made.record.blobSuite, made.sealing)
            }
            do throws(PKCS11Error) { for object in made.waste { try session.destroyObject(object) } } catch {
                throw KeychainError(error, .provision)
            }
        }
        try destroyWaste()
        return Keys(records: records, sealedIndexKey: sealedIndexKey)
    }

    /// Destroys what nobody needs any more; no object is made after it.
    mutating func destroyWaste() throws(KeychainError) {
        while let object = waste.popLast() {
            do { try session.destroyObject(object) } catch { throw KeychainError(error, .provision) }
        }
    }

    /// A class key just made.
    struct Made {
        let record: KeyRecord
        /// Seals as the class key, until the login ends.
        let sealing: any SealingKey
        /// Objects that nobody needs when everything is sealed.
        let waste: [ObjectHandle]
    }

    /// A class key whose objects are the token's: used there, or to seal the key that the host holds.
    mutating func tokenKey(
        _ id: ClassKeyID, _ suite: Suite, _ residence: Residence
    ) throws(KeychainError) -> Made {
        let isPrivate = residence != .tokenPublic
        let name = KeyName(id, of: keychain)
        var handles: [ObjectHandle] = []
        var half: PublicHalf?
        for kind in suite.objectKinds {
            do throws(SealError) {
                let object = try KeyObjectMaker.make(
                    kind, suite, name, isPrivate: isPrivate, onToken: true, on: token, in: session)
                made.append(object.handle)
                if let useless = object.waste { waste.append(useless) }
                handles.append(object.handle)
                half = object.publicHalf
            } catch {
                throw KeychainError(error, .provision)
            }
        }
        for (handle, kind) in zip(handles, suite.objectKinds) {
            try ClassKeyTemplate.verify(
                handle, kind, in: session, id, isPrivate: isPrivate, onToken: true, .provision)
        }
        var material = KeyMaterial()
        material.publicHalf = half?.encoded
        return try classKey(id, suite, residence, material, handles, half)
    }

    /// A class key that uses a pair which was there before, on the token or to seal the key that the host holds.
    func adoptedKey(_ id: ClassKeyID, _ pair: AdoptedPair) throws(KeychainError) -> Made {
        var material = KeyMaterial()
        material.publicHalf = pair.publicHalf.encoded
        material.objectID = pair.objectID
        return try classKey(
            id, pair.suite, KeyPlan.adoptedResidence(id.accessibility), material, [pair.handle], pair.publicHalf)
    }

    private func classKey(
        _ id: ClassKeyID, _ suite: Suite, _ residence: Residence, _ known: KeyMaterial, _ handles: [ObjectHandle],
        _ half: PublicHalf?
    ) throws(KeychainError) -> Made {
        guard let sealing = suite.sealing(token, handles, half) else { throw unknownHalf(id) }
        var material = known
        guard residence == .hostHeld else { return try finish(id, suite, residence, material, sealing, []) }
        let secret: SecretBytes
        do { secret = try RandomBytes.secret(Envelope.itemKeySize) } catch { throw KeychainError(error, .provision) }
        material.held = try KeyEnvelope(keychain: keychain, purpose: .hostKey).seal(secret, under: id, suite, sealing)
        return try finish(id, suite, residence, material, HostSealing(secret), [])
    }

    private mutating func wrappingKey(_ wrap: WrappedKey.Wrap) throws(KeychainError) -> WrappingKey {
        do {
            let key = try WrappingKey.make(
                wrap, KeyName(wrappingKeyOf: keychain, generation: 1), onToken: true, in: session)
            made.append(key.unwraps)
            return key
        } catch {
            throw KeychainError(error, .provision)
        }
    }

    private func wrappedKey(
        _ id: ClassKeyID, _ suite: Suite, _ wrap: WrappedKey.Wrap, by wrapping: WrappingKey
    ) throws(KeychainError) -> Made {
        let name = KeyName(id, of: keychain)
        var material = KeyMaterial()
        var handles: [ObjectHandle] = []
        for kind in suite.objectKinds {
            do throws(PKCS11Error) {
                let blob = try AfterFirstUnlock.make(kind, name, wrap, by: wrapping.wraps, in: session)
                material.wrapped.append(blob)
                handles.append(
                    try AfterFirstUnlock.unwrap(blob, kind, by: wrapping.unwraps, as: name, in: session))
            } catch {
                throw KeychainError(error, .provision)
            }
        }
        for (handle, kind) in zip(handles, suite.objectKinds) {
            try ClassKeyTemplate.verify(handle, kind, in: session, id, isPrivate: false, onToken: false, .provision)
        }
        guard let sealing = suite.sealing(token, handles, nil) else { throw unknownHalf(id) }
        return try finish(id, suite, .unwrappedSession, material, sealing, handles)
    }

    private func finish(
        _ id: ClassKeyID, _ suite: Suite, _ residence: Residence, _ material: KeyMaterial, _ sealing: any SealingKey,
        _ waste: [ObjectHandle]
    ) throws(KeychainError) -> Made {
        let blobSuite: Suite = residence == .hostHeld ? .aesGCM : suite
        let metadataKey = try KeyEnvelope(keychain: keychain, purpose: .metadataKey)
            .sealFresh(under: id, blobSuite, sealing)
        let record = KeyRecord(
            id: id, suite: suite, residence: residence, material: material, sealedMetadataKey: metadataKey)
        return Made(record: record, sealing: sealing, waste: waste)
    }

    private func unknownHalf(_ id: ClassKeyID) -> KeychainError {
        KeychainError(
            .tokenFailed, .provision, subject: .classKey(id.accessibility),
            cause: .format(place: "token", fault: "does not tell the public half of a pair that it made"))
    }

    func destroyMade() {
        for handle in waste + made {
            // The step that failed is the error to tell; a key that stays behind is named by its label.
            try? session.destroyObject(handle)
        }
    }
}
