// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// The attributes by which class keys are copied, wrapped and found, and must read back (PKCS #11 v3.1 §4.9, §6.11); those
/// that they are made with are the suites' (`SuiteTemplates`).
enum ClassKeyTemplate {
    /// An after-first-unlock key at birth: a session object that may be wrapped once, then is destroyed.
    static func wrappableKey(_ kind: KeyObjectKind, _ name: KeyName) -> Template {
        var template = kind.template(name, isPrivate: true, onToken: false).without(.extractable)
        template.set(.extractable, true)
        return template
    }

    /// What an unwrapped after-first-unlock key becomes: public, so that it outlives the logout, and going nowhere.
    static func unwrappedKey(_ kind: KeyObjectKind, _ name: KeyName) -> Template {
        var template = kind.template(name, isPrivate: false, onToken: false).without(.valueLength)
        template.set(.copyable, false)
        return template
    }

    /// The AES key that wraps and unwraps the after-first-unlock keys, and does nothing else.
    static func wrappingKey(_ name: KeyName) -> Template {
        var template = wrapping(name)
        template.set(ObjectClass.secretKey)
        template.set(KeyType.aes)
        for usage in [.encrypt, .decrypt, .sign, .verify, .derive] as [AttributeType] { template.set(usage, false) }
        template.set(.wrap, true)
        template.set(.valueLength, UInt(Envelope.itemKeySize))
        return template
    }

    /// The private half of the RSA pair that does the same.
    static func wrappingPair(_ name: KeyName) -> Template {
        var template = wrapping(name)
        for usage in [.decrypt, .sign, .signRecover, .derive] as [AttributeType] { template.set(usage, false) }
        return template
    }

    /// The public half of that pair, a session object.
    static func wrappingPublicKey() -> Template {
        var template = Template()
        template.set(.token, false)
        template.set(.private, false)
        template.set(.encrypt, false)
        template.set(.verify, false)
        template.set(.wrap, true)
        template.set(.modulusBits, SuiteTemplates.modulusBits)
        template.set(.publicExponent, [1, 0, 1])
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
    static func search(_ name: KeyName, _ objectClass: ObjectClass) -> Template {
        var template = all(objectClass)
        template.set(.id, name.id)
        return template
    }

    /// Finds the objects of a class that are the token's, whoever's.
    static func all(_ objectClass: ObjectClass) -> Template {
        var template = Template()
        template.set(objectClass)
        template.set(.token, true)
        return template
    }

    private static func wrapping(_ name: KeyName) -> Template {
        var template = Template()
        template.set(.label, name.label)
        template.set(.id, name.id)
        template.set(.token, true)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.unwrap, true)
        // Who has the PIN and the blob could else unwrap it as a key that can be read.
        var unwrapped = Template()
        unwrapped.set(.sensitive, true)
        unwrapped.set(.extractable, false)
        template.set(.unwrapTemplate, unwrapped)
        return template
    }

    /// Reads a key's attributes back and throws unless it keeps the promise: modules are known to ignore templates.
    ///
    /// - Throws: `.residenceRefused` if the key can be read, taken out or used otherwise, or is not where it should be.
    static func verify(
        _ handle: ObjectHandle, _ kind: KeyObjectKind, in session: borrowing Session, _ id: ClassKeyID, isPrivate: Bool,
        onToken: Bool, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        let fault: String?
        do throws(PKCS11Error) {
            fault = try SuiteTemplates.fault(
                of: handle, in: session, isPrivate: isPrivate, onToken: onToken, uses: kind.allowedUses)
        } catch {
            throw KeychainError(error, operation)
        }
        guard let fault else { return }
        throw KeychainError(
            .residenceRefused, operation, subject: .classKey(id.accessibility),
            cause: .format(place: fault, fault: "does not read as it was set"))
    }
}
