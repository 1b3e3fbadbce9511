// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPKCS11

/// What an object of a class key is and does.
enum KeyObjectKind: Hashable, Sendable {
    /// Encrypts and decrypts by AES-GCM.
    case gcm
    /// Encrypts and decrypts by AES-CBC.
    case cbc
    /// Signs by HMAC-SHA-256.
    case hmac
    /// Decrypts RSA-OAEP.
    case rsa
    /// Agrees on secrets over P-256.
    case p256

    var objectClass: ObjectClass {
        switch self {
        case .gcm, .cbc, .hmac: .secretKey
        case .rsa, .p256: .privateKey
        }
    }

    var type: KeyType {
        switch self {
        case .gcm, .cbc: .aes
        case .hmac: .genericSecret
        case .rsa: .rsa
        case .p256: .ec
        }
    }

    /// What it may be used for.
    var uses: [AttributeType] {
        switch self {
        case .gcm, .cbc: [.encrypt, .decrypt]
        case .hmac: [.sign, .verify]
        case .rsa: [.decrypt]
        case .p256: [.derive]
        }
    }

    /// What it may be used for at most.
    ///
    /// A TPM makes no RSA key that does not sign as well, and tells the uses of the public half of the private one. To sign
    /// is the same operation on the same login: whoever can have the key sign can have it decrypt.
    var allowedUses: [AttributeType] { self == .rsa ? uses + [.sign, .encrypt, .verify] : uses }

    /// What such a key is made with.
    func template(_ name: KeyName, isPrivate: Bool, onToken: Bool) -> Template {
        switch self {
        case .gcm, .cbc: SuiteTemplates.cipherKey(name, isPrivate: isPrivate, onToken: onToken)
        case .hmac: SuiteTemplates.macKey(name, isPrivate: isPrivate, onToken: onToken)
        case .rsa: SuiteTemplates.rsaPrivateKey(name, isPrivate: isPrivate, onToken: onToken)
        case .p256: SuiteTemplates.p256PrivateKey(name, isPrivate: isPrivate, onToken: onToken)
        }
    }

    /// Finds the token's object of a name.
    func search(_ id: [UInt8]) -> Template {
        var template = Template()
        template.set(objectClass)
        template.set(type)
        template.set(.token, true)
        template.set(.id, id)
        return template
    }

    /// Whether the token begins to work with such an object.
    ///
    /// - Throws: what it failed with otherwise than by refusing the object.
    func isAccepted(_ handle: ObjectHandle, on token: Token) throws(PKCS11Error) -> Bool {
        do throws(PKCS11Error) {
            try token.withSession { (session) throws(PKCS11Error) in try use(handle, in: session) }
            return true
        } catch {
            switch error.returnValue?.kind {
            case .objectGone, .notLoggedIn: return false
            case .sessionLost, .tokenGone: throw error
            default: break
            }
            switch error.function {
            case "C_DecryptInit", "C_EncryptInit", "C_SignInit": return false
            // What was given to it was no ciphertext of any use.
            case "C_Decrypt", "C_Encrypt", "C_Sign": return true
            default: throw error
            }
        }
    }

    /// The curve's generator (SEC 2 §2.4.2): a point that every token has something to derive with.
    private static let generator: [UInt8] = [
        0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77,
        0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42,
        0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B,
        0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
    ]

    private func use(_ handle: ObjectHandle, in session: borrowing Session) throws(PKCS11Error) {
        switch self {
        case .gcm:
            let nothing = [UInt8](repeating: 0, count: 64)
            let bytes = unsafe nothing.span.bytes
            _ = try session.openGCM(
                key: handle, iv: bytes.extracting(first: Envelope.nonceSize), aad: bytes.extracting(first: 0),
                ciphertext: bytes)
        case .cbc:
            let block = [UInt8](repeating: 0, count: 16)
            _ = unsafe try session.encrypt(.aesCBC(iv: block), key: handle, block.span.bytes)
        case .hmac:
            let nothing: [UInt8] = [0]
            _ = unsafe try session.sign(.sha256HMAC, key: handle, nothing.span.bytes)
        case .rsa:
            let nothing = [UInt8](repeating: 0, count: Int(SuiteTemplates.modulusBits) / 8)
            _ = unsafe try session.decrypt(.rsaOAEP(.sha1), key: handle, nothing.span.bytes)
        case .p256:
            _ = try session.derivedSecret(
                .ecdh1Derive(point: Self.generator), base: handle, SuiteTemplates.derivedSecret, size: 32)
        }
    }
}

extension Suite {
    /// The objects that a class key consists of on the token; those of one suite differ by their key type.
    var objectKinds: [KeyObjectKind] {
        switch self {
        case .aesGCM: [.gcm]
        case .cbcHMAC: [.cbc, .hmac]
        case .hmacKDF: [.hmac]
        case .rsaOAEP, .rsaOAEPSHA256: [.rsa]
        case .ecdhP256: [.p256]
        }
    }
}
