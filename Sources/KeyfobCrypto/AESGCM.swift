// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
package import KeyfobMemory

/// AES-256-GCM (NIST SP 800-38D) with a 96-bit nonce and a 128-bit tag.
///
/// ```
///   sealed = ciphertext (as long as the plaintext) || tag (16 bytes)
/// ```
///
/// Every call makes a context of its own and ends it: libcrypto wipes the key schedule as it frees it, and a kept
/// context is no faster. Calls block for computing only and may come from any thread. The caller sees to it that a
/// nonce is never used twice with one key.
package enum AESGCM {
    /// Bytes of a key.
    package static let keySize = 32
    /// Bytes of a nonce.
    package static let nonceSize = 12
    /// Bytes of a tag.
    package static let tagSize = 16

    /// Writes ciphertext and tag of `plaintext` to `output`, which must hold `plaintext.byteCount + tagSize` bytes.
    ///
    /// - Throws: `.size` for a key, nonce or buffer of another size than said; `.library`.
    package static func seal(
        _ plaintext: RawSpan, key: borrowing SecretBytes, nonce: RawSpan, aad: RawSpan,
        into output: UnsafeMutableRawBufferPointer
    ) throws(LibcryptoError) {
        let count = plaintext.byteCount
        guard output.count == count + tagSize, let start = output.baseAddress else {
            throw LibcryptoError(call: "AESGCM.seal", fault: .size)
        }
        let context = try CipherContext.start(.seal, key: key, nonce: nonce)
        unsafe try context.update(aad, into: nil)
        unsafe try context.update(plaintext, into: start)
        try context.finish(.seal)
        unsafe try context.readTag(into: start + count)
    }

    /// Writes the plaintext of `sealed` to `output`, which must hold `sealed.byteCount - tagSize` bytes; zeros after a
    /// throw.
    ///
    /// - Throws: `.authentication` if anything differs from what was sealed, or `sealed` is shorter than a tag; `.size`
    ///   for a key, nonce or buffer of another size than said; `.library`.
    package static func open(
        _ sealed: RawSpan, key: borrowing SecretBytes, nonce: RawSpan, aad: RawSpan,
        into output: UnsafeMutableRawBufferPointer
    ) throws(LibcryptoError) {
        let count = sealed.byteCount - tagSize
        guard count >= 0 else { throw LibcryptoError(call: "AESGCM.open", fault: .authentication) }
        guard output.count == count else { throw LibcryptoError(call: "AESGCM.open", fault: .size) }
        do {
            let context = try CipherContext.start(.open, key: key, nonce: nonce)
            unsafe try context.update(aad, into: nil)
            if let start = output.baseAddress {
                unsafe try context.update(sealed.extracting(first: count), into: start)
            }
            try context.setTag(sealed.extracting(last: tagSize))
            try context.finish(.open)
        } catch {
            // What was decrypted before the tag was looked at belongs to nobody.
            if let start = output.baseAddress { unsafe OPENSSL_cleanse(start, count) }
            throw error
        }
    }

    /// The plaintext of `sealed`.
    ///
    /// - Throws: as the variant that writes into a buffer, and `.memory`.
    package static func open(
        _ sealed: RawSpan, key: borrowing SecretBytes, nonce: RawSpan, aad: RawSpan
    ) throws(LibcryptoError) -> SecretBytes {
        guard sealed.byteCount >= tagSize else { throw LibcryptoError(call: "AESGCM.open", fault: .authentication) }
        var plaintext = try SecretBytes.zeros(sealed.byteCount - tagSize)
        unsafe try plaintext.withUnsafeMutableBytes { (output) throws(LibcryptoError) in
            unsafe try open(sealed, key: key, nonce: nonce, aad: aad, into: output)
        }
        return plaintext
    }
}
