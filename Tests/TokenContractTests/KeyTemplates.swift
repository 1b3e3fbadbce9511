// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobPKCS11

/// Templates as a keychain's class keys have them.
extension Template {
    /// A secret key that does not leave the token.
    private static func secret(_ type: KeyType, token: Bool, isPrivate: Bool, id: [UInt8]) -> Template {
        var template = Template()
        template.set(.secretKey)
        template.set(type)
        template.set(.token, token)
        template.set(.private, isPrivate)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(.valueLength, 32)
        template.set(.id, id)
        return template
    }

    /// An AES-256 key that encrypts, decrypts, wraps and unwraps.
    static func aes(token: Bool = true, isPrivate: Bool = true, id: [UInt8]) -> Template {
        var template = secret(.aes, token: token, isPrivate: isPrivate, id: id)
        for use: AttributeType in [.encrypt, .decrypt, .wrap, .unwrap] { template.set(use, true) }
        return template
    }

    /// A key of HMAC.
    static func generic(token: Bool = true, isPrivate: Bool = true, id: [UInt8]) -> Template {
        var template = secret(.genericSecret, token: token, isPrivate: isPrivate, id: id)
        template.set(.sign, true)
        return template
    }

    /// The public half of an RSA-2048 key pair.
    static func rsaPublic(id: [UInt8]) -> Template {
        var template = Template()
        template.set(.token, true)
        template.set(.private, false)
        template.set(.encrypt, true)
        template.set(.modulusBits, 2048)
        template.set(.publicExponent, [1, 0, 1])
        template.set(.id, id)
        return template
    }

    /// The public half of a P-256 key pair.
    static func ecPublic(id: [UInt8]) -> Template {
        var template = Template()
        template.set(.token, true)
        template.set(.private, false)
        template.set(.ecParameters, P256Point.parameters)
        template.set(.id, id)
        return template
    }

    /// The private half of a key pair.
    static func privateHalf(_ use: AttributeType, id: [UInt8]) -> Template {
        var template = Template()
        template.set(.token, true)
        template.set(.private, true)
        template.set(.sensitive, true)
        template.set(.extractable, false)
        template.set(use, true)
        template.set(.id, id)
        return template
    }

    /// What a derived secret is: to be read.
    static func derived() -> Template {
        var template = Template()
        template.set(.secretKey)
        template.set(.genericSecret)
        template.set(.token, false)
        template.set(.private, false)
        template.set(.sensitive, false)
        template.set(.extractable, true)
        template.set(.valueLength, UInt(P256PublicKey.secretSize))
        return template
    }

    /// What finds an object of the class with the ID.
    static func named(_ objectClass: ObjectClass, _ id: [UInt8]) -> Template {
        var template = Template()
        template.set(objectClass)
        template.set(.id, id)
        return template
    }

    /// A new ID.
    static func newID() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: 0 ... .max) } }
}
