// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// The attributes that class keys are made with and must read back as (PKCS #11 v3.1 §4.9, §6.11).
enum ClassKeyTemplate {
    /// A class key on the token: encrypt and decrypt only, sensitive, not extractable.
    static func tokenKey(_ name: KeyName, isPrivate: Bool) -> Template {
        var template = sealing(name, isPrivate: isPrivate, onToken: true)
        template.set(.extractable, false)
        template.set(.valueLength, UInt(Envelope.itemKeySize))
        return template
    }

    /// An after-first-unlock key at birth: a session object that may be wrapped once, then is destroyed.
    static func wrappableKey(_ name: KeyName) -> Template {
        var template = sealing(name, isPrivate: true, onToken: false)
        template.set(.extractable, true)
        template.set(.valueLength, UInt(Envelope.itemKeySize))
        return template
    }

    /// The key that wraps and unwraps the after-first-unlock keys, and does nothing else.
    static func wrappingKey(_ name: KeyName) -> Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.aes)
        template.set(.label, Array(name.label.utf8))
        template.set(.id, name.id)
        template.set(.token, true)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        for usage in [.encrypt, .decrypt, .sign, .verify, .derive] as [AttributeType] { template.set(usage, false) }
        template.set(.wrap, true)
        template.set(.unwrap, true)
        template.set(.valueLength, UInt(Envelope.itemKeySize))
        // Who has the PIN and the blob could else unwrap it as a key that can be read.
        var unwrapped = Template()
        unwrapped.set(.sensitive, true)
        unwrapped.set(.extractable, false)
        template.set(.unwrapTemplate, unwrapped)
        return template
    }

    /// What an unwrapped after-first-unlock key becomes: public, so that it outlives the logout, and going nowhere.
    static func unwrappedKey(_ name: KeyName) -> Template {
        var template = sealing(name, isPrivate: false, onToken: false)
        template.set(.extractable, false)
        template.set(.copyable, false)
        return template
    }

    /// The changes by which a token key is copied into a session.
    static func sessionCopy(isPrivate: Bool) -> Template {
        var template = Template()
        template.set(.token, false)
        template.set(.private, isPrivate)
        return template
    }

    /// Finds the token object of a name.
    static func search(_ name: KeyName, _ objectClass: ObjectClass = .secretKey) -> Template {
        var template = Template()
        template.set(objectClass)
        template.set(.token, true)
        template.set(.id, name.id)
        return template
    }

    /// Finds the secret keys that are objects of the token, whoever's.
    static var allTokenKeys: Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(.token, true)
        return template
    }

    private static func sealing(_ name: KeyName, isPrivate: Bool, onToken: Bool) -> Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.aes)
        template.set(.label, Array(name.label.utf8))
        template.set(.id, name.id)
        template.set(.token, onToken)
        template.set(.private, isPrivate)
        template.set(.sensitive, true)
        template.set(.encrypt, true)
        template.set(.decrypt, true)
        for usage in [.sign, .verify, .wrap, .unwrap, .derive] as [AttributeType] { template.set(usage, false) }
        return template
    }

    /// Reads a key's attributes back and throws unless it keeps the promise: modules are known to ignore templates.
    ///
    /// - Throws: `.residenceRefused` if the key can be read or taken out, or is not where it should be.
    static func verify(
        _ handle: ObjectHandle, in session: borrowing Session, _ id: ClassKeyID, isPrivate: Bool, onToken: Bool,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        let expected: [(String, AttributeType, Bool)] = [
            ("CKA_SENSITIVE", .sensitive, true), ("CKA_EXTRACTABLE", .extractable, false),
            ("CKA_PRIVATE", .private, isPrivate), ("CKA_TOKEN", .token, onToken), ("CKA_WRAP", .wrap, false),
        ]
        for (name, attribute, value) in expected {
            let found: Bool?
            do { found = try session.bool(of: handle, attribute) } catch { throw KeychainError(error, operation) }
            guard found == value else {
                throw KeychainError(
                    .residenceRefused, operation, subject: .classKey(id.accessibility),
                    cause: .format(place: name, fault: "should read \(value) and does not"))
            }
        }
    }
}
