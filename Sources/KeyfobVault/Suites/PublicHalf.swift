// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel
internal import KeyfobPKCS11

/// The public half of a class key's pair, as the store keeps it.
///
/// ```
///   RSA     length of the exponent 2 | exponent | modulus
///   P-256   the uncompressed point, 65 bytes
/// ```
/// Nothing in the store vouches for it: before it seals anything the token proves that it has the other half
/// (`SealingKey.opensOwnSeal`).
enum PublicHalf: Hashable, Sendable {
    case rsa(RSAPublicKey)
    case p256(P256PublicKey)

    /// Nil for bytes that are no public half of the suite.
    init?(encoded bytes: [UInt8], _ suite: Suite) throws(LibcryptoError) {
        switch suite {
        case .aesGCM, .cbcHMAC, .hmacKDF: return nil
        case .rsaOAEP, .rsaOAEPSHA256:
            guard let key = RSAPublicKey(encoded: bytes[...]), key.modulus.count >= 128 else { return nil }
            self = .rsa(key)
        case .ecdhP256:
            guard let key = try P256PublicKey(point: bytes) else { return nil }
            self = .p256(key)
        }
    }

    /// What an object of the token says about the pair; nil if it does not tell.
    init?(of object: ObjectHandle, _ suite: Suite, in session: borrowing Session) throws(SealError) {
        do {
            switch suite {
            case .aesGCM, .cbcHMAC, .hmacKDF: return nil
            case .rsaOAEP, .rsaOAEPSHA256:
                guard let numbers = try session.rsaNumbers(of: object), numbers.modulus.count >= 128 else { return nil }
                self = .rsa(RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent))
            case .ecdhP256:
                guard let point = try session.p256Point(of: object), let key = try P256PublicKey(point: point) else {
                    return nil
                }
                self = .p256(key)
            }
        } catch let error as PKCS11Error {
            throw SealError(error)
        } catch let error as LibcryptoError {
            throw SealError(error)
        } catch {
            throw .notAuthentic
        }
    }

    var encoded: [UInt8] {
        switch self {
        case .rsa(let key): key.encoded
        case .p256(let key): key.point
        }
    }
}

extension Suite {
    /// The suite at work with the objects of a class key, in the order of `objectKinds`.
    ///
    /// - Parameter publicHalf: of the suites that have one.
    /// - Returns: nil if there are too few objects, or a public half is missing or another suite's.
    func sealing(_ token: Token, _ objects: [ObjectHandle], _ publicHalf: PublicHalf?) -> (any SealingKey)? {
        guard objects.count == objectKinds.count else { return nil }
        switch (self, publicHalf) {
        case (.aesGCM, _): return GCMSealing(token, key: objects[0])
        case (.cbcHMAC, _): return CBCHMACSealing(token, cipherKey: objects[0], macKey: objects[1])
        case (.hmacKDF, _): return HMACSealing(token, key: objects[0])
        case (.rsaOAEP, .rsa(let key)): return RSASealing(token, key: objects[0], publicKey: key, .sha1)
        case (.rsaOAEPSHA256, .rsa(let key)): return RSASealing(token, key: objects[0], publicKey: key, .sha256)
        case (.ecdhP256, .p256(let key)): return ECDHSealing(token, key: objects[0], publicKey: key)
        default: return nil
        }
    }
}

extension RSAPublicKey {
    /// `length of the exponent 2 | exponent | modulus`.
    var encoded: [UInt8] { [UInt8(exponent.count >> 8), UInt8(exponent.count & 255)] + exponent + modulus }

    /// Nil for bytes that are no encoding.
    init?(encoded bytes: ArraySlice<UInt8>) {
        guard bytes.count > 2 else { return nil }
        let count = Int(bytes[bytes.startIndex]) << 8 | Int(bytes[bytes.startIndex + 1])
        let rest = bytes.dropFirst(2)
        guard count > 0, rest.count > count else { return nil }
        self.init(modulus: Array(rest.dropFirst(count)), exponent: Array(rest.prefix(count)))
    }
}
