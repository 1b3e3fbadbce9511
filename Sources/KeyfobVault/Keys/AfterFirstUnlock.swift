// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// How an after-first-unlock key is kept on tokens that refuse to copy a private key into a public session object.
///
/// The key is born extractable in a session, wrapped on the token by a wrapping key that never leaves it, and destroyed;
/// the store keeps the blob. At the first unlock the token unwraps it into a public session object, which survives
/// `C_Logout` and dies with its session. Only integrity-checking wraps are used (RFC 5649).
enum AfterFirstUnlock {
    static let mechanism = Mechanism.aesKeyWrapPad

    /// A fresh class key, wrapped; no object of it is left.
    static func make(_ name: KeyName, wrappedBy wrapping: ObjectHandle, in session: borrowing Session)
        throws(PKCS11Error) -> [UInt8]
    {
        let newborn = try session.generateKey(.aesKeyGeneration, ClassKeyTemplate.wrappableKey(name))
        let blob: [UInt8]
        do {
            blob = try session.wrapKey(mechanism, wrapping: wrapping, key: newborn)
        } catch {
            // The key dies with the session if it cannot be destroyed now; the first error is the one to tell.
            try? session.destroyObject(newborn)
            throw error
        }
        try session.destroyObject(newborn)
        return blob
    }

    /// The key as a public session object of `session`; nil if the blob is damaged: the token refuses it twice, and unwraps
    /// another in between.
    ///
    /// Modules answer a damaged blob, a broken token and one that failed for a moment alike.
    static func unwrapIfWhole(
        _ blob: [UInt8], by wrapping: ObjectHandle, as name: KeyName, in session: borrowing Session
    ) throws(PKCS11Error) -> ObjectHandle? {
        do throws(PKCS11Error) { return try unwrap(blob, by: wrapping, as: name, in: session) } catch {
            guard error.isRejectedWrap, works(wrapping, name, in: session) else { throw error }
        }
        do throws(PKCS11Error) { return try unwrap(blob, by: wrapping, as: name, in: session) } catch {
            guard error.isRejectedWrap else { throw error }
            return nil
        }
    }

    /// Whether the token unwraps a key that it wraps now.
    private static func works(
        _ wrapping: ObjectHandle, _ name: KeyName, in session: borrowing Session
    ) -> Bool {
        do throws(PKCS11Error) {
            let handle = try unwrap(make(name, wrappedBy: wrapping, in: session), by: wrapping, as: name, in: session)
            try session.destroyObject(handle)
            return true
        } catch {
            return false
        }
    }

    /// The key as a public session object of `session`.
    static func unwrap(
        _ blob: [UInt8], by wrapping: ObjectHandle, as name: KeyName, in session: borrowing Session
    ) throws(PKCS11Error) -> ObjectHandle {
        try session.unwrapKey(mechanism, unwrapping: wrapping, blob, ClassKeyTemplate.unwrappedKey(name))
    }
}
