// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

/// Suite ecdh-p256: the wrapping key's seed is what an ephemeral key pair and the token's share (docs/suites.md).
///
/// ```
///   ephemeral point 65 | ciphertext | tag 16          seed = ECDH(ephemeral private half, token's point)
/// ```
/// The point is looked at before the token gets it: one that is not on the curve is not authentic, and every other one
/// gives the token something to derive. So whatever it refuses is a fault of its own; AES-GCM in the host finds what was
/// changed.
struct ECDHSealing: SealingKey {
    private static let info = Array("keyfob ecdh-p256 1".utf8)

    private let token: Token
    private let key: ObjectHandle
    private let publicKey: P256PublicKey

    /// - Parameters:
    ///   - key: the private half, which derives.
    ///   - publicKey: the other half, known to belong to it (`opensOwnSeal`).
    init(_ token: Token, key: ObjectHandle, publicKey: P256PublicKey) {
        self.token = token
        self.key = key
        self.publicKey = publicKey
    }

    func sealedSize(of count: Int) -> Int { P256PublicKey.pointSize + count + DerivedSeal.overhead }

    /// Seals without a token call.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(SealError) {
        do throws(LibcryptoError) {
            let share = try publicKey.share()
            let start = offset + share.point.count
            blob.replaceSubrange(offset..<start, with: share.point)
            try DerivedSeal(share.secret, info: info(share.point)).seal(secret, associatedData, into: &blob, at: start)
        } catch {
            throw SealError(error)
        }
    }

    /// Opens by one derivation, whose key is read and destroyed: three token calls.
    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes {
        guard DerivedSeal.fits(sealed, header: P256PublicKey.pointSize) else { throw .notAuthentic }
        let point = sealed.extracting(first: P256PublicKey.pointSize).copied
        let isPoint = try SealError.host { () throws(LibcryptoError) in try P256PublicKey(point: point) != nil }
        guard isPoint else { throw .notAuthentic }
        let seed = try SealError.token { () throws(PKCS11Error) in try sharedSecret(point) }
        do throws(LibcryptoError) {
            return try DerivedSeal(seed, info: info(point))
                .open(sealed.extracting(P256PublicKey.pointSize...), associatedData)
        } catch {
            throw SealError(error)
        }
    }

    // MARK: - Private

    /// Both points go into the key: neither can be exchanged for another that leads to the same secret.
    private func info(_ ephemeral: [UInt8]) -> [UInt8] { Self.info + ephemeral + publicKey.point }

    /// The raw point is what most modules take and cards insist on; one that refuses it gets DER, from then on at once.
    private func sharedSecret(_ point: [UInt8]) throws(PKCS11Error) -> SecretBytes {
        guard !token.wantsDERPoints else { return try derive(P256Point.der(point)) }
        do throws(PKCS11Error) { return try derive(point) } catch {
            guard error.isRefusedPoint else { throw error }
            let secret: SecretBytes
            // The first refusal is the one to tell if DER is refused as well.
            do throws(PKCS11Error) { secret = try derive(P256Point.der(point)) } catch _ { throw error }
            token.noteWantsDERPoints()
            return secret
        }
    }

    private func derive(_ point: [UInt8]) throws(PKCS11Error) -> SecretBytes {
        try token.withSession { (session) throws(PKCS11Error) in
            try session.derivedSecret(
                .ecdh1Derive(point: point), base: key, SuiteTemplates.derivedSecret, size: P256PublicKey.secretSize)
        }
    }
}
