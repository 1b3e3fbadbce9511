// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
package import KeyfobMemory

/// Random bytes from libcrypto's generators, which the kernel seeds and a `fork` reseeds.
package enum RandomBytes {
    /// Fills a buffer with bytes that may become public: nonces, salts, identifiers (`RAND_bytes`).
    ///
    /// - Throws: `.library` if the generator cannot be seeded; the buffer is then not to be used.
    package static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(LibcryptoError) {
        LibcryptoError.forgetOthers()
        let done = unsafe RAND_bytes_ex(nil, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, 0)
        guard done == 1 else { throw .drained("RAND_bytes_ex") }
    }

    /// That many bytes that may become public.
    ///
    /// - Throws: as `fill`.
    package static func bytes(_ count: Int) throws(LibcryptoError) -> [UInt8] {
        LibcryptoError.forgetOthers()
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe RAND_bytes_ex(nil, &bytes, count, 0) == 1 else { throw .drained("RAND_bytes_ex") }
        return bytes
    }

    /// That many bytes that stay secret, from the generator for private values (`RAND_priv_bytes`).
    ///
    /// - Throws: as `fill`, and `.memory`.
    package static func secret(_ count: Int) throws(LibcryptoError) -> SecretBytes {
        var secret = try SecretBytes.zeros(count)
        LibcryptoError.forgetOthers()
        let done = unsafe secret.withUnsafeMutableBytes { buffer in
            unsafe RAND_priv_bytes_ex(nil, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, 0)
        }
        guard done == 1 else { throw .drained("RAND_priv_bytes_ex") }
        return secret
    }
}
