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

    /// The key as a public session object of `session`.
    static func unwrap(
        _ blob: [UInt8], by wrapping: ObjectHandle, as name: KeyName, in session: borrowing Session
    ) throws(PKCS11Error) -> ObjectHandle {
        try session.unwrapKey(mechanism, unwrapping: wrapping, blob, ClassKeyTemplate.unwrappedKey(name))
    }
}
