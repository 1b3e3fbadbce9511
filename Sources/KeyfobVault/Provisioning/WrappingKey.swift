// SPDX-License-Identifier: Apache-2.0
internal import KeyfobPKCS11

/// What wraps the after-first-unlock keys at birth and unwraps them at the first unlock: one AES key, or an RSA pair.
struct WrappingKey {
    let wraps: ObjectHandle
    let unwraps: ObjectHandle

    /// Both, or the one that does both.
    var objects: [ObjectHandle] { wraps == unwraps ? [wraps] : [wraps, unwraps] }

    /// Makes one; of a pair the public half is a session object, as it is needed once.
    ///
    /// - Parameter onToken: whether what unwraps stays on the token.
    static func make(
        _ wrap: WrappedKey.Wrap, _ name: KeyName, onToken: Bool, in session: borrowing Session
    ) throws(PKCS11Error) -> WrappingKey {
        let wanted =
            switch wrap {
            case .aes: ClassKeyTemplate.wrappingKey(name)
            case .rsa: ClassKeyTemplate.wrappingPair(name)
            }
        var template = wanted.without(.token)
        template.set(.token, onToken)
        do throws(PKCS11Error) {
            return try make(wrap, template, in: session)
        } catch {
            // p11-kit says that the device failed when it cannot carry the attribute: one that did says no more.
            if error.returnValue?.endsAllSessions == true {
                guard session.isRemote, try session.isLoggedIn() else { throw error }
            }
            // A token that does not know the attribute gets a key without it (docs/adr/0004).
            return try make(wrap, template.without(.unwrapTemplate), in: session)
        }
    }

    private static func make(
        _ wrap: WrappedKey.Wrap, _ template: Template, in session: borrowing Session
    ) throws(PKCS11Error) -> WrappingKey {
        switch wrap {
        case .aes:
            let key = try session.generateKey(.aesKeyGeneration, template)
            return WrappingKey(wraps: key, unwraps: key)
        case .rsa:
            let pair = try session.generateKeyPair(
                .rsaKeyPairGeneration, publicKey: ClassKeyTemplate.wrappingPublicKey(), privateKey: template)
            return WrappingKey(wraps: pair.publicKey, unwraps: pair.privateKey)
        }
    }
}
