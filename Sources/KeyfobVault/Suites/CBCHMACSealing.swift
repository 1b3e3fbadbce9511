// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

/// Suite aes-cbc-hmac: encrypt-then-MAC, both by keys on the token (docs/suites.md).
///
/// ```
///   IV 16 | ciphertext (as long as the secret) | MAC 32
/// ```
/// The MAC is HMAC-SHA-256 over `length of the associated data 4 | associated data | IV | ciphertext`. It is compared in
/// the host, and nothing is decrypted before it fits: the token never judges a ciphertext, so whatever it refuses is a
/// fault of its own.
struct CBCHMACSealing: SealingKey {
    static let blockSize = 16
    static let macSize = 32

    private let token: Token
    private let cipherKey: ObjectHandle
    private let macKey: ObjectHandle

    /// - Parameters:
    ///   - cipherKey: an AES key that encrypts and decrypts.
    ///   - macKey: a generic secret key that signs.
    init(_ token: Token, cipherKey: ObjectHandle, macKey: ObjectHandle) {
        self.token = token
        self.cipherKey = cipherKey
        self.macKey = macKey
    }

    func sealedSize(of count: Int) -> Int { Self.blockSize + count + Self.macSize }

    /// Seals by two token operations, under a random IV; the secret has whole blocks of 16 bytes.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(SealError) {
        precondition(secret.count % Self.blockSize == 0, "there is no padding")
        precondition(DerivedSeal.secretSizes.contains(secret.count), "class keys seal keys of 32 to 64 bytes")
        let iv = try SealError.host { () throws(LibcryptoError) in try RandomBytes.bytes(Self.blockSize) }
        let sealed = try SealError.token { () throws(PKCS11Error) in
            try token.withSession { (session) throws(PKCS11Error) in
                let ciphertext = try secret.withBytes { (secret) throws(PKCS11Error) in
                    try session.encrypt(.aesCBC(iv: iv), key: cipherKey, secret)
                }
                guard ciphertext.count == secret.count else { throw Self.malformed("ciphertext", ciphertext.count) }
                let mac = try mac(associatedData, iv + ciphertext, session)
                return iv + ciphertext + mac.withBytes { $0.copied }
            }
        }
        blob.replaceSubrange(offset..<offset + sealed.count, with: sealed)
    }

    /// Opens by two token operations, or one if the MAC does not fit.
    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes {
        let count = sealed.byteCount - Self.blockSize - Self.macSize
        guard DerivedSeal.secretSizes.contains(count), count % Self.blockSize == 0 else { throw .notAuthentic }
        let bound = sealed.extracting(first: Self.blockSize + count)
        let opened: SecretBytes? = try SealError.token { () throws(PKCS11Error) in
            try token.withSession { (session) throws(PKCS11Error) in
                let mac = try mac(associatedData, bound.copied, session)
                guard mac.withBytes({ ConstantTime.equal($0, sealed.extracting(last: Self.macSize)) }) else {
                    return nil
                }
                let iv = bound.extracting(first: Self.blockSize).copied
                let secret = try session.decrypt(
                    .aesCBC(iv: iv), key: cipherKey, bound.extracting(Self.blockSize...))
                guard secret.count == count else { throw Self.malformed("plaintext", secret.count) }
                return secret
            }
        }
        guard let opened else { throw .notAuthentic }
        return opened
    }

    private func mac(
        _ associatedData: [UInt8], _ ivAndCiphertext: [UInt8], _ session: borrowing Session
    ) throws(PKCS11Error) -> SecretBytes {
        let message = BigEndian.bytes(UInt32(associatedData.count)) + associatedData + ivAndCiphertext
        let mac = unsafe try session.sign(.sha256HMAC, key: macKey, message.span.bytes)
        guard mac.count == Self.macSize else { throw Self.malformed("MAC", mac.count) }
        return mac
    }

    private static func malformed(_ what: String, _ count: Int) -> PKCS11Error {
        PKCS11Error(.malformed("the token answered a \(what) of \(count) bytes"))
    }
}
