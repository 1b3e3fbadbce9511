// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// The attributes that the key objects of the suites are made with (PKCS #11 v3.1 §4.9, §4.10, §6.1, §6.3, §6.11).
///
/// Every secret or private key is sensitive, not extractable, and does the one thing that its suite needs. The public half
/// of a pair is a session object: the store keeps what it says.
enum SuiteTemplates {
    static let modulusBits: UInt = 2048

    /// The cipher key of aes-cbc-hmac: encrypts and decrypts.
    static func cipherKey(_ name: KeyName, isPrivate: Bool, onToken: Bool) -> Template {
        var template = secretKey(.aes, name, isPrivate: isPrivate, onToken: onToken, for: [.encrypt, .decrypt])
        template.set(.valueLength, 32)
        return template
    }

    /// The MAC key of aes-cbc-hmac, and the key of hmac-kdf: signs, and verifies, because some tokens make no key that does
    /// one without the other.
    static func macKey(_ name: KeyName, isPrivate: Bool, onToken: Bool) -> Template {
        var template = secretKey(.genericSecret, name, isPrivate: isPrivate, onToken: onToken, for: [.sign, .verify])
        template.set(.valueLength, 32)
        return template
    }

    /// The public half of an RSA pair.
    static func rsaPublicKey(_ name: KeyName) -> Template {
        var template = publicKey(name, for: [.encrypt])
        template.set(.modulusBits, modulusBits)
        template.set(.publicExponent, [1, 0, 1])
        return template
    }

    /// The private half of an RSA pair: decrypts.
    static func rsaPrivateKey(_ name: KeyName, isPrivate: Bool, onToken: Bool) -> Template {
        privateKey(name, isPrivate: isPrivate, onToken: onToken, for: .decrypt)
    }

    /// The public half of a pair on P-256.
    static func p256PublicKey(_ name: KeyName) -> Template {
        var template = publicKey(name, for: [])
        template.set(.ecParameters, P256Point.parameters)
        return template
    }

    /// The private half of a pair on P-256: derives.
    static func p256PrivateKey(_ name: KeyName, isPrivate: Bool, onToken: Bool) -> Template {
        privateKey(name, isPrivate: isPrivate, onToken: onToken, for: .derive)
    }

    /// A secret that is derived to be read: a public object, so that it can be made whether the user is logged in or not.
    static var derivedSecret: Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.genericSecret)
        template.set(.token, false)
        template.set(.private, false)
        template.set(.sensitive, false)
        template.set(.extractable, true)
        template.set(.valueLength, 32)
        return template
    }

    /// What a secret or private key does not read back as it has to, by its C name; nil: it keeps the promise.
    ///
    /// A use that the object has no attribute for is one that it has not.
    ///
    /// - Parameter uses: what the key may be used for.
    static func fault(
        of handle: ObjectHandle, in session: borrowing Session, isPrivate: Bool, onToken: Bool, uses: [AttributeType]
    ) throws(PKCS11Error) -> String? {
        let promises: [(String, AttributeType, Bool)] = [
            ("CKA_SENSITIVE", .sensitive, true), ("CKA_EXTRACTABLE", .extractable, false),
            ("CKA_PRIVATE", .private, isPrivate), ("CKA_TOKEN", .token, onToken),
        ]
        for (name, attribute, value) in promises where try session.bool(of: handle, attribute) != value { return name }
        for (name, usage) in usages where !uses.contains(usage) {
            if try session.bool(of: handle, usage) ?? false { return name }
        }
        return nil
    }

    /// The same without denying what tpm2-pkcs11 refuses to deny.
    ///
    /// What the key then may be used for is read back (`fault`).
    static func unbounded(_ template: Template) -> Template {
        ([.sign, .derive, .verify, .wrap] as [AttributeType]).reduce(template) { $0.without($1) }
    }

    // MARK: - Private

    private static let usages: [(String, AttributeType)] = [
        ("CKA_ENCRYPT", .encrypt), ("CKA_DECRYPT", .decrypt), ("CKA_SIGN", .sign),
        ("CKA_SIGN_RECOVER", .signRecover), ("CKA_VERIFY", .verify), ("CKA_WRAP", .wrap), ("CKA_UNWRAP", .unwrap),
        ("CKA_DERIVE", .derive),
    ]

    private static func named(_ name: KeyName, isPrivate: Bool, onToken: Bool) -> Template {
        var template = Template()
        template.set(.label, name.label)
        template.set(.id, name.id)
        template.set(.token, onToken)
        template.set(.private, isPrivate)
        return template
    }

    private static func secretKey(
        _ type: KeyType, _ name: KeyName, isPrivate: Bool, onToken: Bool, for uses: [AttributeType]
    ) -> Template {
        var template = named(name, isPrivate: isPrivate, onToken: onToken)
        template.set(ObjectClass.secretKey)
        template.set(type)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        let all: [AttributeType] = [.encrypt, .decrypt, .sign, .verify, .wrap, .unwrap, .derive]
        for usage in all { template.set(usage, uses.contains(usage)) }
        return template
    }

    private static func privateKey(
        _ name: KeyName, isPrivate: Bool, onToken: Bool, for use: AttributeType
    ) -> Template {
        var template = named(name, isPrivate: isPrivate, onToken: onToken)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        let all: [AttributeType] = [.decrypt, .sign, .signRecover, .unwrap, .derive]
        for usage in all { template.set(usage, usage == use) }
        return template
    }

    private static func publicKey(_ name: KeyName, for uses: [AttributeType]) -> Template {
        var template = named(name, isPrivate: false, onToken: false)
        for usage in [.encrypt, .verify, .wrap] as [AttributeType] { template.set(usage, uses.contains(usage)) }
        return template
    }
}
