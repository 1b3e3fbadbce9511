// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory

/// AES-256-GCM in the process under a fresh random nonce: `nonce 12 | ciphertext | tag 16`.
enum NonceSeal {
    /// Writes the sealed form of `plaintext` into `blob` at `start`, where it has room.
    static func seal(
        _ plaintext: borrowing SecretBytes, _ key: borrowing SecretBytes, _ associatedData: [UInt8],
        into blob: inout [UInt8], at start: Int
    ) throws(LibcryptoError) {
        let ciphertext = start + Envelope.nonceSize
        let end = ciphertext + plaintext.count + Envelope.tagSize
        let nonce = try RandomBytes.bytes(Envelope.nonceSize)
        blob.replaceSubrange(start..<ciphertext, with: nonce)
        try plaintext.withBytes { (plaintext) throws(LibcryptoError) in
            var bytes = blob.mutableSpan
            unsafe try bytes.withUnsafeMutableBytes { (buffer) throws(LibcryptoError) in
                unsafe try AESGCM.seal(
                    plaintext, key: key, nonce: nonce.span.bytes, aad: associatedData.span.bytes,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[ciphertext..<end]))
            }
        }
    }

    /// What is inside a sealed form.
    ///
    /// - Throws: `.authentication` unless every byte is what it was; also for what is too short to be one.
    static func open(
        _ sealed: RawSpan, _ key: borrowing SecretBytes, _ associatedData: [UInt8]
    ) throws(LibcryptoError) -> SecretBytes {
        let size = min(Envelope.nonceSize, sealed.byteCount)
        return unsafe try AESGCM.open(
            sealed.extracting(size...), key: key, nonce: sealed.extracting(first: size), aad: associatedData.span.bytes)
    }
}
