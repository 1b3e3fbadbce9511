// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// The kinds of key that a class key may be.
enum KeyShape: String, CaseIterable {
    case aes
    case generic
    case rsa
    case ec

    /// What a class key of the shape is: of a pair it is the private half.
    var objectClass: ObjectClass { self == .rsa || self == .ec ? .privateKey : .secretKey }
}

/// Keys that a test makes on the token, uses, and destroys.
enum MadeKey {
    /// Lends a session and a key that is made on it; what was made is destroyed afterwards.
    ///
    /// For a key pair it is the private half.
    static func with<R>(
        _ shape: KeyShape, on token: Token, isPrivate: Bool = true,
        _ body: (borrowing Session, ObjectHandle, _ id: [UInt8]) throws -> R
    ) throws -> R {
        let session = try token.openSession(readWrite: true)
        let id = Template.newID()
        let key = try make(shape, session, isPrivate: isPrivate, id: id)
        let result = Result { try body(session, key, id) }
        try destroy(id, token)
        return try result.get()
    }

    /// Makes a key that does not leave the token; the private half of a pair.
    static func make(
        _ shape: KeyShape, _ session: borrowing Session, isPrivate: Bool = true, id: [UInt8]
    ) throws(PKCS11Error) -> ObjectHandle {
        switch shape {
        case .aes:
            return try session.generateKey(.aesKeyGeneration, .aes(isPrivate: isPrivate, id: id))
        case .generic:
            return try session.generateKey(.genericSecretKeyGeneration, .generic(isPrivate: isPrivate, id: id))
        case .rsa:
            return try session.generateKeyPair(
                .rsaKeyPairGeneration, publicKey: .rsaPublic(id: id), privateKey: .privateHalf(.decrypt, id: id)
            ).privateKey
        case .ec:
            return try session.generateKeyPair(
                .ecKeyPairGeneration, publicKey: .ecPublic(id: id), privateKey: .privateHalf(.derive, id: id)
            ).privateKey
        }
    }

    /// Destroys what has the ID; the token may have lost its login or the handles.
    private static func destroy(_ id: [UInt8], _ token: Token) throws {
        if !token.isLoggedIn { try token.login(try TestToken.shared.pin()) }
        let session = try token.openSession(readWrite: true)
        var template = Template()
        template.set(.id, id)
        for object in try session.find(template) { try session.destroyObject(object) }
    }

    // MARK: - Private keys that are there

    /// Lends a private RSA key that decrypts: one that is made, or that of a card.
    static func withRSA<R>(
        on token: Token, _ body: (borrowing Session, ObjectHandle, [UInt8], RSAPublicKey) throws -> R
    ) throws -> R {
        guard TestToken.shared.kind == .opensc else {
            return try with(.rsa, on: token) { session, key, id in
                try body(session, key, id, try publicKey(session, id))
            }
        }
        let session = try token.openSession(readWrite: false)
        let id: [UInt8] = [1]
        let key = try #require(try session.findOne(.named(.privateKey, id)))
        return try body(session, key, id, try publicKey(session, id))
    }

    /// Lends a private P-256 key that derives, and its public half: one that is made, or that of a card.
    static func withEC<R>(
        on token: Token, _ body: (borrowing Session, ObjectHandle, P256PublicKey) throws -> R
    ) throws -> R {
        guard TestToken.shared.kind == .opensc else {
            return try with(.ec, on: token) { session, key, id in try body(session, key, try point(session, id)) }
        }
        let session = try token.openSession(readWrite: false)
        let id: [UInt8] = [3]
        let key = try session.findOne(.named(.privateKey, id))
        return try body(session, try #require(key), try point(session, id))
    }

    private static func point(_ session: borrowing Session, _ id: [UInt8]) throws -> P256PublicKey {
        let found = try session.findOne(.named(.publicKey, id))
        let point = try session.p256Point(of: try #require(found))
        let publicKey = try P256PublicKey(point: try #require(point))
        return try #require(publicKey)
    }

    private static func publicKey(_ session: borrowing Session, _ id: [UInt8]) throws -> RSAPublicKey {
        let found = try session.findOne(.named(.publicKey, id))
        let key = try #require(found)
        let modulus = try session.bytes(of: key, .modulus)
        let exponent = try session.bytes(of: key, .publicExponent)
        return RSAPublicKey(modulus: try #require(modulus), exponent: try #require(exponent))
    }
}

/// A private key at work, whatever the kind has: seals 32 bytes under it, opened by a token call.
struct PrivateKey {
    let handle: ObjectHandle
    let id: [UInt8]
    let mechanism: Mechanism
    let sealed: [UInt8]
    let plain: [UInt8]

    /// Whether the session opens what was sealed with the handle.
    func opens(_ session: borrowing Session, with handle: ObjectHandle? = nil) throws(PKCS11Error) -> Bool {
        let opened = unsafe try session.decrypt(mechanism, key: handle ?? self.handle, sealed.span.bytes)
        return opened.withBytes { $0.array } == plain
    }

    /// The handle of the key now; nil if it is not found.
    func found(_ session: borrowing Session) throws(PKCS11Error) -> ObjectHandle? {
        try session.findOne(.named(.privateKey, id))
    }

    /// Lends a private RSA key of the token and what is sealed under it.
    static func with<R>(on token: Token, _ body: (borrowing Session, PrivateKey) throws -> R) throws -> R {
        try MadeKey.withRSA(on: token) { session, handle, id, publicKey in
            let plain = (0..<32).map { _ in UInt8.random(in: 0 ... .max) }
            let sealed = try publicKey.seal(try SecretBytes(copying: plain), .sha1)
            return try body(
                session, PrivateKey(handle: handle, id: id, mechanism: .rsaOAEP(.sha1), sealed: sealed, plain: plain))
        }
    }
}
