// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

/// Suite aes-gcm on the token: `IV 12 | ciphertext | tag 16`.
struct GCMSealing: SealingKey {
    private let token: Token
    private let key: ObjectHandle

    init(_ token: Token, key: ObjectHandle) {
        self.token = token
        self.key = key
    }

    /// The size of the sealed form of a secret of `count` bytes, in bytes.
    static func sealedSize(of count: Int) -> Int { Envelope.nonceSize + count + Envelope.tagSize }

    func sealedSize(of count: Int) -> Int { Self.sealedSize(of: count) }

    /// Seals by one token operation (init and encrypt).
    ///
    /// The IV is ours and random. A token that insists on its own gets zeros and writes the one it used into the buffer,
    /// and some tokens do so whatever they get: what the buffer holds afterwards is the IV. One that is not ours is
    /// proven by opening before the blob is used.
    func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], at offset: Int
    ) throws(SealError) {
        let ivEnd = offset + Envelope.nonceSize
        let end = offset + sealedSize(of: secret.count)
        let zeros = [UInt8](repeating: 0, count: Envelope.nonceSize)
        var iv = zeros
        if !token.drawsIVs {
            iv = try SealError.host { () throws(LibcryptoError) in try RandomBytes.bytes(Envelope.nonceSize) }
        }
        blob.replaceSubrange(offset..<ivEnd, with: iv)
        do throws(PKCS11Error) {
            try seal(secret, associatedData, into: &blob, offset..<end)
        } catch {
            guard !token.drawsIVs, error.isRefusedParameter else { throw SealError(error) }
            blob.replaceSubrange(offset..<ivEnd, with: zeros)
            // The first refusal is the one to tell if zeros are refused as well.
            do throws(PKCS11Error) { try seal(secret, associatedData, into: &blob, offset..<end) } catch _ {
                throw SealError(error)
            }
            token.noteDrawsIVs()
        }
        guard !blob[offset..<ivEnd].elementsEqual(iv) || token.drawsIVs else { return }
        guard !blob[offset..<ivEnd].elementsEqual(zeros) else {
            throw .token(PKCS11Error(.malformed("the token did not say which IV it used")))
        }
        let opened = unsafe try open(blob.span.bytes.extracting(offset..<end), associatedData)
        guard opened.withBytes({ opened in secret.withBytes { ConstantTime.equal(opened, $0) } }) else {
            throw .token(PKCS11Error(.malformed("the token does not open what it sealed under its own IV")))
        }
    }

    /// Opens by one token operation (init and decrypt).
    func open(_ sealed: RawSpan, _ associatedData: [UInt8]) throws(SealError) -> SecretBytes {
        guard sealed.byteCount > Envelope.nonceSize + Envelope.tagSize else { throw .notAuthentic }
        do throws(PKCS11Error) {
            return try token.withSession { (session) throws(PKCS11Error) in
                unsafe try session.openGCM(
                    key: key, iv: sealed.extracting(first: Envelope.nonceSize), aad: associatedData.span.bytes,
                    ciphertext: sealed.extracting(Envelope.nonceSize...))
            }
        } catch {
            throw SealError(error)
        }
    }

    private func seal(
        _ secret: borrowing SecretBytes, _ associatedData: [UInt8], into blob: inout [UInt8], _ range: Range<Int>
    ) throws(PKCS11Error) {
        let ivEnd = range.lowerBound + Envelope.nonceSize
        let written = try token.withSession { (session) throws(PKCS11Error) in
            try secret.withBytes { (plaintext) throws(PKCS11Error) in
                var bytes = blob.mutableSpan
                return unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(PKCS11Error) in
                    unsafe try session.sealGCM(
                        key: key, iv: UnsafeMutableRawBufferPointer(rebasing: buffer[range.lowerBound..<ivEnd]),
                        aad: associatedData.span.bytes, plaintext: plaintext,
                        into: UnsafeMutableRawBufferPointer(rebasing: buffer[ivEnd..<range.upperBound]))
                }
            }
        }
        guard written == range.upperBound - ivEnd else {
            throw PKCS11Error(function: "C_Encrypt", returnValue: .generalError)
        }
    }
}
