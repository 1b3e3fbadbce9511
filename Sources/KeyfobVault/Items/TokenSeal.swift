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
    func write(
        _ secret: borrowing SecretBytes, under handle: ObjectHandle, _ associatedData: [UInt8],
        into blob: inout [UInt8], at offset: Int
    ) throws(PKCS11Error) {
        let ivEnd = offset + Envelope.nonceSize
        let end = ivEnd + secret.count + Envelope.tagSize
        let iv = try Self.freshIV()
        blob.replaceSubrange(offset..<ivEnd, with: iv)
        let written = try token.withSession { (session) throws(PKCS11Error) in
            try secret.withBytes { (plaintext) throws(PKCS11Error) in
                var bytes = blob.mutableSpan
                return unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(PKCS11Error) in
                    unsafe try session.sealGCM(
                        key: handle, iv: iv.span.bytes, aad: associatedData.span.bytes, plaintext: plaintext,
                        into: UnsafeMutableRawBufferPointer(rebasing: buffer[ivEnd..<end]))
                }
            }
        }
        guard written == end - ivEnd else { throw PKCS11Error(function: "C_Encrypt", returnValue: .generalError) }
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
