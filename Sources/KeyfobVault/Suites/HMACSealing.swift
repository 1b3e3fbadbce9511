// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

/// Suite hmac-kdf: the token's HMAC over a random salt is the seed of the wrapping key (docs/suites.md).
///
/// ```
///   salt 32 | ciphertext | tag 16          seed = HMAC-SHA-256(token key, 1 | salt)
/// ```
/// The token never sees what it is asked for, so whatever it refuses is a fault of its own; AES-GCM in the host finds what
/// was changed.
struct HMACSealing: SealingKey {
    static let saltSize = 32
    private static let seedSize = 32
    private static let info = Array("keyfob hmac-kdf 1".utf8)

    private let token: Token
    private let key: ObjectHandle

    /// - Parameter key: a generic secret key that signs.
    init(_ token: Token, key: ObjectHandle) {
        self.token = token
        self.key = key
    }

    func sealedSize(of count: Int) -> Int { Self.saltSize + count + DerivedSeal.overhead }

    /// Seals by one token operation.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(SealError) {
        let salt = try SealError.host { () throws(LibcryptoError) in try RandomBytes.bytes(Self.saltSize) }
        let seed = try seed(salt)
        blob.replaceSubrange(offset..<offset + salt.count, with: salt)
        do throws(LibcryptoError) {
            try DerivedSeal(seed, info: Self.info)
                .seal(secret, associatedData, into: &blob, at: offset + salt.count)
        } catch {
            throw SealError(error)
        }
    }

    /// Opens by one token operation.
    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes {
        guard DerivedSeal.fits(sealed, header: Self.saltSize) else { throw .notAuthentic }
        let seed = try seed(sealed.extracting(first: Self.saltSize).copied)
        do throws(LibcryptoError) {
            return try DerivedSeal(seed, info: Self.info).open(sealed.extracting(Self.saltSize...), associatedData)
        } catch {
            throw SealError(error)
        }
    }

    /// The first byte keeps seeds apart from whatever else the key may ever be asked to authenticate.
    private func seed(_ salt: [UInt8]) throws(SealError) -> SecretBytes {
        let message = [1] + salt
        let seed = try SealError.token { () throws(PKCS11Error) in
            try token.withSession { (session) throws(PKCS11Error) in
                unsafe try session.sign(.sha256HMAC, key: key, message.span.bytes)
            }
        }
        guard seed.count == Self.seedSize else {
            throw .token(PKCS11Error(.malformed("the token answered a MAC of \(seed.count) bytes")))
        }
        return seed
    }
}
