// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobPKCS11

/// One seal or open of a short key on the token, suite `aesGCM`: `IV 12 | ciphertext | tag 16`.
struct TokenSeal {
    private let token: Token

    init(_ token: Token) {
        self.token = token
    }

    /// Seals by one token operation (init and encrypt), under a random IV.
    func seal(
        _ secret: borrowing SecretBytes, under handle: ObjectHandle, _ associatedData: [UInt8]
    ) throws(PKCS11Error) -> [UInt8] {
        let size = Envelope.nonceSize + secret.count + Envelope.tagSize
        var blob = [UInt8](repeating: 0, count: size)
        try write(secret, under: handle, associatedData, into: &blob, at: 0)
        return blob
    }

    /// Seals into `blob` at `offset`, where IV, ciphertext and tag must have room.
    ///
    /// The IV is ours and random. A token that insists on its own gets zeros and writes the one it used into the buffer,
    /// and some tokens do so whatever they get: what the buffer holds afterwards is the IV. One that is not ours is
    /// proven by opening before the blob is used.
    func write(
        _ secret: borrowing SecretBytes, under handle: ObjectHandle, _ associatedData: [UInt8],
        into blob: inout [UInt8], at offset: Int
    ) throws(PKCS11Error) {
        let ivEnd = offset + Envelope.nonceSize
        let end = ivEnd + secret.count + Envelope.tagSize
        let zeros = [UInt8](repeating: 0, count: Envelope.nonceSize)
        let iv = token.drawsIVs ? zeros : try Self.freshIV()
        blob.replaceSubrange(offset..<ivEnd, with: iv)
        do throws(PKCS11Error) {
            try seal(secret, handle, associatedData, into: &blob, offset..<end)
        } catch {
            guard !token.drawsIVs, error.isRefusedParameter else { throw error }
            blob.replaceSubrange(offset..<ivEnd, with: zeros)
            // The first refusal is the one to tell if zeros are refused as well.
            do throws(PKCS11Error) { try seal(secret, handle, associatedData, into: &blob, offset..<end) } catch _ {
                throw error
            }
            token.noteDrawsIVs()
        }
        guard !blob[offset..<ivEnd].elementsEqual(iv) || token.drawsIVs else { return }
        guard !blob[offset..<ivEnd].elementsEqual(zeros) else {
            throw PKCS11Error(.malformed("the token did not say which IV it used"))
        }
        let opened = unsafe try open(blob.span.bytes.extracting(offset..<end), under: handle, associatedData)
        guard Self.equal(opened, secret) else {
            throw PKCS11Error(.malformed("the token does not open what it sealed under its own IV"))
        }
    }

    private func seal(
        _ secret: borrowing SecretBytes, _ handle: ObjectHandle, _ associatedData: [UInt8],
        into blob: inout [UInt8], _ range: Range<Int>
    ) throws(PKCS11Error) {
        let ivEnd = range.lowerBound + Envelope.nonceSize
        let written = try token.withSession { (session) throws(PKCS11Error) in
            try secret.withBytes { (plaintext) throws(PKCS11Error) in
                var bytes = blob.mutableSpan
                return unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(PKCS11Error) in
                    unsafe try session.sealGCM(
                        key: handle, iv: UnsafeMutableRawBufferPointer(rebasing: buffer[range.lowerBound..<ivEnd]),
                        aad: associatedData.span.bytes, plaintext: plaintext,
                        into: UnsafeMutableRawBufferPointer(rebasing: buffer[ivEnd..<range.upperBound]))
                }
            }
        }
        guard written == range.upperBound - ivEnd else {
            throw PKCS11Error(function: "C_Encrypt", returnValue: .generalError)
        }
    }

    static func equal(_ left: borrowing SecretBytes, _ right: borrowing SecretBytes) -> Bool {
        unsafe left.withUnsafeBytes { left in unsafe right.withUnsafeBytes { right in unsafe left.elementsEqual(right) }
        }
    }

    private static func freshIV() throws(PKCS11Error) -> [UInt8] {
        do { return try RandomBytes.bytes(Envelope.nonceSize) } catch {
            throw PKCS11Error(.malformed("no random IV can be had: \(error.call) failed"))
        }
    }

    /// Opens by one token operation (init and decrypt).
    func open(
        _ blob: RawSpan, under handle: ObjectHandle, _ associatedData: [UInt8]
    ) throws(PKCS11Error) -> SecretBytes {
        try token.withSession { (session) throws(PKCS11Error) in
            unsafe try session.openGCM(
                key: handle, iv: blob.extracting(first: Envelope.nonceSize), aad: associatedData.span.bytes,
                ciphertext: blob.extracting(Envelope.nonceSize...))
        }
    }
}
