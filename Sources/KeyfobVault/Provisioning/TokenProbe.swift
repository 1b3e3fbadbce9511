// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11

/// Tries out on throw-away session keys what a token can really do: mechanism lists and attributes are known to lie.
enum TokenProbe {
    /// The best way the token has to keep a key working after `C_Logout`; needs a login.
    ///
    /// - Throws: `.unimplemented` if the token has no AES-GCM, `.residenceRefused` if it has no way to keep such a key.
    static func afterFirstUnlockResidence(
        in session: borrowing Session, of token: Token
    ) throws(KeychainError) -> Residence {
        let id = ClassKeyID(.afterFirstUnlock, generation: 0)
        let probe: ObjectHandle
        do { probe = try session.generateKey(.aesKeyGeneration, template(extractable: false)) } catch {
            throw KeychainError(error, .provision)
        }
        try requireGCM(probe, on: token)
        do {
            let copy = try session.copyObject(probe, ClassKeyTemplate.sessionCopy(isPrivate: false))
            try ClassKeyTemplate.verify(copy, in: session, id, isPrivate: false, onToken: false, .provision)
            try destroy([copy, probe], in: session)
            return .copiedSession
        } catch {
            // Refusing the copy is the standard's behaviour (SoftHSM): the wrapping way is tried next.
            try destroy([probe], in: session)
        }
        guard try wrappingWorks(id, in: session) else {
            throw KeychainError(
                .residenceRefused, .provision, subject: .token(token.identity),
                cause: .format(place: "after-first-unlock key", fault: "cannot be kept inside the token"))
        }
        return .unwrappedSession
    }

    /// Settles how the module wants its AES-GCM parameters, by sealing and opening.
    ///
    /// A token that draws its own IVs fails the probe of the shape, which gives IVs of ours, and is left with the usual one.
    private static func requireGCM(_ key: ObjectHandle, on token: Token) throws(KeychainError) {
        do {
            if let variant = try token.probeGCMVariant(key), variant != token.gcmVariant {
                token.setGCMVariant(variant)
            }
            let secret = try SecretBytes(copying: [UInt8](repeating: 7, count: Envelope.itemKeySize))
            let seal = TokenSeal(token)
            let blob = try seal.seal(secret, under: key, [1, 2, 3])
            let opened = unsafe try seal.open(blob.span.bytes, under: key, [1, 2, 3])
            guard opened.count == secret.count else { throw unsupported(token, nil) }
        } catch let error as PKCS11Error {
            throw unsupported(token, error)
        } catch let error as SecretMemoryError {
            throw KeychainError(error, .provision)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, .provision)
        }
    }

    private static func unsupported(_ token: Token, _ error: PKCS11Error?) -> KeychainError {
        let cause = error.flatMap { KeychainError($0, .provision).cause }
        return KeychainError(.unimplemented, .provision, subject: .token(token.identity), cause: cause)
    }

    private static func wrappingWorks(
        _ id: ClassKeyID, in session: borrowing Session
    ) throws(KeychainError) -> Bool {
        var wrapping = template(extractable: false)
        wrapping.set(.wrap, true)
        wrapping.set(.unwrap, true)
        do {
            let key = try session.generateKey(.aesKeyGeneration, wrapping)
            let newborn = try session.generateKey(.aesKeyGeneration, template(extractable: true))
            let blob = try session.wrapKey(AfterFirstUnlock.mechanism, wrapping: key, key: newborn)
            let unwrapped = try session.unwrapKey(
                AfterFirstUnlock.mechanism, unwrapping: key, blob, unwrappedTemplate())
            try ClassKeyTemplate.verify(unwrapped, in: session, id, isPrivate: false, onToken: false, .provision)
            try destroy([key, newborn, unwrapped], in: session)
            return true
        } catch let error as PKCS11Error where error.returnValue?.endsAllSessions == true {
            throw KeychainError(error, .provision)
        } catch {
            // Any refusal means the same: the way does not exist here. The objects die with the session.
            return false
        }
    }

    private static func template(extractable: Bool) -> Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.aes)
        template.set(.token, false)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, extractable)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        template.set(.wrap, false)
        template.set(.valueLength, UInt(Envelope.itemKeySize))
        return template
    }

    private static func unwrappedTemplate() -> Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.aes)
        template.set(.token, false)
        template.set(.private, false)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        template.set(.wrap, false)
        return template
    }

    private static func destroy(_ handles: [ObjectHandle], in session: borrowing Session) throws(KeychainError) {
        do {
            for handle in handles { try session.destroyObject(handle) }
        } catch {
            throw KeychainError(error, .provision)
        }
    }
}
