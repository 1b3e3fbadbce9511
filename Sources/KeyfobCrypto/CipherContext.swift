// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
internal import KeyfobMemory

/// One `EVP_CIPHER_CTX`, keyed; freed, and by that wiped, at the end of its owner.
@safe struct CipherContext: ~Copyable {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    // @unchecked: set once, never written through; libcrypto's fetched methods are for all threads.
    @safe private struct Cipher: @unchecked Sendable {
        let method: OpaquePointer?
    }

    private static let cipher = unsafe Cipher(method: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))

    private let context: OpaquePointer

    private init(_ context: OpaquePointer) {
        unsafe self.context = context
    }

    /// A context that is ready for associated data.
    ///
    /// - Throws: `.size`, `.library`.
    static func start(
        _ direction: Direction, key: borrowing SecretBytes, nonce: RawSpan
    ) throws(LibcryptoError) -> CipherContext {
        guard key.count == AESGCM.keySize, nonce.byteCount == AESGCM.nonceSize else {
            throw LibcryptoError(call: "EVP_CipherInit_ex2", fault: .size)
        }
        LibcryptoError.forgetOthers()
        guard let method = unsafe cipher.method else { throw .drained("EVP_CIPHER_fetch") }
        guard let made = unsafe EVP_CIPHER_CTX_new() else { throw .drained("EVP_CIPHER_CTX_new") }
        let context = unsafe CipherContext(made)
        let done = unsafe key.withUnsafeBytes { key in
            unsafe nonce.withUnsafeBytes { nonce in
                unsafe EVP_CipherInit_ex2(
                    made, method, key.bindMemory(to: UInt8.self).baseAddress,
                    nonce.bindMemory(to: UInt8.self).baseAddress, direction.rawValue, nil)
            }
        }
        guard done == 1 else { throw .drained("EVP_CipherInit_ex2") }
        return context
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Takes bytes; without an output they are associated data.
    func update(_ bytes: RawSpan, into output: UnsafeMutableRawPointer?) throws(LibcryptoError) {
        guard !bytes.isEmpty else { return }
        guard let size = Int32(exactly: bytes.byteCount) else {
            throw LibcryptoError(call: "EVP_CipherUpdate", fault: .size)
        }
        var written: Int32 = 0
        let done = unsafe bytes.withUnsafeBytes { bytes in
            unsafe EVP_CipherUpdate(
                context, output?.assumingMemoryBound(to: UInt8.self), &written,
                bytes.bindMemory(to: UInt8.self).baseAddress, size)
        }
        guard done == 1, written == size else { throw .drained("EVP_CipherUpdate") }
    }

    /// Ends sealing, or checks the tag when opening; GCM has no padding, so nothing is written.
    func finish(_ direction: Direction) throws(LibcryptoError) {
        var written: Int32 = 0
        var nothing: UInt8 = 0
        guard unsafe EVP_CipherFinal_ex(context, &nothing, &written) == 1 else {
            throw .drained("EVP_CipherFinal_ex", direction == .open ? .authentication : .library)
        }
    }

    func readTag(into output: UnsafeMutableRawPointer) throws(LibcryptoError) {
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagSize), output) == 1 else {
            throw .drained("EVP_CIPHER_CTX_ctrl")
        }
    }

    func setTag(_ tag: RawSpan) throws(LibcryptoError) {
        let done = unsafe tag.withUnsafeBytes { tag in
            // libcrypto reads the tag only, whatever its prototype says.
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), UnsafeMutableRawPointer(mutating: tag.baseAddress))
        }
        guard done == 1 else { throw .drained("EVP_CIPHER_CTX_ctrl") }
    }
}
