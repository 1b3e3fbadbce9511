// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

/// Suites rsa-oaep and rsa-oaep-sha256: a random seed is sealed to the token's key in the host, and opened by the token
/// (docs/suites.md).
///
/// ```
///   block (as long as the modulus) | ciphertext | tag 16          block = RSA-OAEP(public half, seed 32)
/// ```
/// Here the token does judge: it refuses a block that is no OAEP, with `CKR_GENERAL_ERROR` if need be, which is also what
/// a broken token says. So a refused block is tried again after the token has opened one that was sealed just now: if it
/// opens that and refuses this, this is not authentic. A token that answers garbage instead is found out by AES-GCM.
struct RSASealing: SealingKey {
    private static let seedSize = 32
    private static let info = Array("keyfob rsa-oaep 1".utf8)

    private let token: Token
    private let key: ObjectHandle
    private let publicKey: RSAPublicKey
    private let hash: RSAPublicKey.OAEPHash

    /// - Parameters:
    ///   - key: the private half, which decrypts.
    ///   - publicKey: the other half, known to belong to it (`opensOwnSeal`).
    ///   - hash: of OAEP and of its mask function.
    init(_ token: Token, key: ObjectHandle, publicKey: RSAPublicKey, _ hash: RSAPublicKey.OAEPHash) {
        self.token = token
        self.key = key
        // Its length is that of a block.
        self.publicKey = RSAPublicKey(
            modulus: Array(publicKey.modulus.drop { $0 == 0 }), exponent: publicKey.exponent)
        self.hash = hash
    }

    private var blockSize: Int { publicKey.modulus.count }

    func sealedSize(of count: Int) -> Int { blockSize + count + DerivedSeal.overhead }

    /// Seals without a token call.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(SealError) {
        do throws(LibcryptoError) {
            let seed = try RandomBytes.secret(Self.seedSize)
            let block = try publicKey.seal(seed, hash)
            blob.replaceSubrange(offset..<offset + block.count, with: block)
            try DerivedSeal(seed, info: Self.info(block))
                .seal(secret, associatedData, into: &blob, at: offset + block.count)
        } catch {
            throw SealError(error)
        }
    }

    /// Opens by one token operation; by three if the token refuses.
    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes {
        guard DerivedSeal.fits(sealed, header: blockSize) else { throw .notAuthentic }
        let block = sealed.extracting(first: blockSize).copied
        // A number that is not below the modulus is no block, and modules answer to it in ways of their own.
        guard block.lexicographicallyPrecedes(publicKey.modulus) else { throw .notAuthentic }
        let seed = try seed(in: block)
        guard seed.count == Self.seedSize else { throw .notAuthentic }
        do throws(LibcryptoError) {
            return try DerivedSeal(seed, info: Self.info(block))
                .open(sealed.extracting(blockSize...), associatedData)
        } catch {
            throw SealError(error)
        }
    }

    // MARK: - Private

    private static func info(_ block: [UInt8]) -> [UInt8] {
        unsafe info + Digest256(sha256: block.span.bytes).bytes
    }

    private func seed(in block: [UInt8]) throws(SealError) -> SecretBytes {
        do throws(PKCS11Error) { return try decrypt(block) } catch {
            guard error.isRejectedCiphertext else { throw SealError(error) }
            guard try opensFreshBlock() else { throw .token(error) }
        }
        do throws(PKCS11Error) { return try decrypt(block) } catch {
            guard error.isRejectedCiphertext else { throw SealError(error) }
            throw .notAuthentic
        }
    }

    /// Whether the token opens a block that is certainly whole.
    private func opensFreshBlock() throws(SealError) -> Bool {
        let seed = try SealError.host { () throws(LibcryptoError) in try RandomBytes.secret(Self.seedSize) }
        let block = try SealError.host { () throws(LibcryptoError) in try publicKey.seal(seed, hash) }
        let opened: SecretBytes
        do throws(PKCS11Error) { opened = try decrypt(block) } catch {
            guard error.isRejectedCiphertext else { throw SealError(error) }
            return false
        }
        return opened.withBytes { opened in seed.withBytes { ConstantTime.equal(opened, $0) } }
    }

    private func decrypt(_ block: [UInt8]) throws(PKCS11Error) -> SecretBytes {
        let mechanism: Mechanism =
            switch hash {
            case .sha1: .rsaOAEP(.sha1)
            case .sha256: .rsaOAEP(.sha256)
            }
        return try token.withSession { (session) throws(PKCS11Error) in
            unsafe try session.decrypt(mechanism, key: key, block.span.bytes)
        }
    }
}
