// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// How an after-first-unlock key is kept on tokens that refuse to copy a private key into a public session object.
///
/// The key is born extractable in a session, wrapped on the token by a wrapping key that never leaves it, and destroyed;
/// the store keeps the blob. At the first unlock the token unwraps it into a public session object, which survives
/// `C_Logout` and dies with its session. Only integrity-checking wraps are used (RFC 5649, RSA-OAEP).
enum AfterFirstUnlock {
    /// A fresh object of a class key, wrapped; no object of it is left.
    static func make(
        _ kind: KeyObjectKind, _ name: KeyName, _ wrap: WrappedKey.Wrap, by wrapping: ObjectHandle,
        in session: borrowing Session
    ) throws(PKCS11Error) -> WrappedKey {
        let newborn = try session.generateKey(kind.generation, ClassKeyTemplate.wrappableKey(kind, name))
        let blob: [UInt8]
        do {
            blob = try session.wrapKey(wrap.mechanism, wrapping: wrapping, key: newborn)
        } catch {
            // The key dies with the session if it cannot be destroyed now; the first error is the one to tell.
            try? session.destroyObject(newborn)
            throw error
        }
        try session.destroyObject(newborn)
        return WrappedKey(wrap, blob)
    }

    /// The key as a public session object of `session`; nil if the blob is damaged: the token refuses it twice, and unwraps
    /// another in between.
    ///
    /// Modules answer a damaged blob, a broken token and one that failed for a moment alike.
    static func unwrapIfWhole(
        _ key: WrappedKey, _ kind: KeyObjectKind, by wrapping: ObjectHandle, as name: KeyName,
        in session: borrowing Session
    ) throws(PKCS11Error) -> ObjectHandle? {
        do throws(PKCS11Error) { return try unwrap(key, kind, by: wrapping, as: name, in: session) } catch {
            guard error.isRejectedWrap, works(wrapping, kind, key.wrap, name, in: session) else { throw error }
        }
        do throws(PKCS11Error) { return try unwrap(key, kind, by: wrapping, as: name, in: session) } catch {
            guard error.isRejectedWrap else { throw error }
            return nil
        }
    }

    /// Whether the token unwraps a key that it wraps now.
    private static func works(
        _ wrapping: ObjectHandle, _ kind: KeyObjectKind, _ wrap: WrappedKey.Wrap, _ name: KeyName,
        in session: borrowing Session
    ) -> Bool {
        do throws(PKCS11Error) {
            let fresh = try make(kind, name, wrap, by: wrapping, in: session)
            let handle = try unwrap(fresh, kind, by: wrapping, as: name, in: session)
            try session.destroyObject(handle)
            return true
        } catch {
            return false
        }
    }

    /// The key as a public session object of `session`.
    ///
    /// The length of the key follows from the bytes, and some modules refuse to be told it; those that want to be are
    /// told when they have said so.
    static func unwrap(
        _ key: WrappedKey, _ kind: KeyObjectKind, by wrapping: ObjectHandle, as name: KeyName,
        in session: borrowing Session
    ) throws(PKCS11Error) -> ObjectHandle {
        var template = ClassKeyTemplate.unwrappedKey(kind, name)
        do throws(PKCS11Error) {
            return try session.unwrapKey(key.wrap.mechanism, unwrapping: wrapping, key.bytes, template)
        } catch {
            guard error.returnValue == .templateIncomplete else { throw error }
            template.set(.valueLength, UInt(Envelope.itemKeySize))
            return try session.unwrapKey(key.wrap.mechanism, unwrapping: wrapping, key.bytes, template)
        }
    }
}

extension WrappedKey.Wrap {
    var mechanism: Mechanism {
        switch self {
        case .aes: .aesKeyWrapPad
        case .rsa: .rsaOAEP(.sha1)
        }
    }

    /// What unwraps is found as.
    var objectClass: ObjectClass {
        switch self {
        case .aes: .secretKey
        case .rsa: .privateKey
        }
    }
}

extension KeyObjectKind {
    /// What makes such a key, or its pair.
    var generation: Mechanism {
        switch self {
        case .gcm, .cbc: .aesKeyGeneration
        case .hmac: .genericSecretKeyGeneration
        case .rsa: .rsaKeyPairGeneration
        case .p256: .ecKeyPairGeneration
        }
    }
}
