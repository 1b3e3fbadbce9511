// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
internal import KeyfobMemory

/// One keyed `EVP_MAC_CTX`; freed, and by that wiped, at the end of its owner.
///
/// Once keyed, its calls fail only for want of memory, and then they trap, as an allocation of Swift's own does.
@safe final class MACContext: @unchecked Sendable {
    // @unchecked: it is lent to one message at a time; the original is only ever read, by `copy`.

    // @unchecked: set once, never written through; libcrypto's fetched methods are for all threads.
    @safe private struct Function: @unchecked Sendable {
        let method: OpaquePointer?
    }

    private static let hmac = unsafe Function(method: EVP_MAC_fetch(nil, "HMAC", nil))

    private let context: OpaquePointer

    private init(_ context: OpaquePointer) {
        unsafe self.context = context
    }

    /// A context for HMAC-SHA-256 under the key.
    ///
    /// - Throws: `.library` if this build of libcrypto does not offer it.
    convenience init(hmacSHA256 key: borrowing SecretBytes) throws(LibcryptoError) {
        LibcryptoError.forgetOthers()
        guard let method = unsafe Self.hmac.method else { throw .drained("EVP_MAC_fetch") }
        guard let made = unsafe EVP_MAC_CTX_new(method) else { throw .drained("EVP_MAC_CTX_new") }
        unsafe self.init(made)
        // Literals, because the parameters point at them; the first is OSSL_MAC_PARAM_DIGEST, a macro.
        let digest = unsafe OSSL_PARAM_construct_utf8_string(
            Self.literal("digest"), UnsafeMutablePointer(mutating: Self.literal("SHA256")), 0)
        let parameters = unsafe [digest, OSSL_PARAM_construct_end()]
        // The address of an empty key is not NULL, which would mean that there is none.
        let done = unsafe key.withUnsafeBytes { key in
            unsafe EVP_MAC_init(made, key.bindMemory(to: UInt8.self).baseAddress, key.count, parameters)
        }
        guard done == 1 else { throw .drained("EVP_MAC_init") }
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }

    /// A context of its own with the same key.
    func copy() -> MACContext {
        guard let made = unsafe EVP_MAC_CTX_dup(context) else { preconditionFailure("no memory for EVP_MAC_CTX_dup") }
        return unsafe MACContext(made)
    }

    /// Begins a message.
    func restart() {
        check(unsafe EVP_MAC_init(context, nil, 0, nil))
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else { return }
        check(unsafe EVP_MAC_update(context, start.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    /// Ends the message and writes its authenticator, as long as `output`.
    func finish(into output: UnsafeMutableRawBufferPointer) {
        var written = 0
        check(
            unsafe EVP_MAC_final(context, output.bindMemory(to: UInt8.self).baseAddress, &written, output.count))
        precondition(written == output.count, "an authenticator has 32 bytes")
    }

    private static func literal(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private func check(_ done: Int32) {
        precondition(done == 1, "no memory for EVP_MAC")
    }
}
