// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto

extension Digest256 {
    // @unchecked: set once, never written through; libcrypto's fetched methods are for all threads.
    @safe private struct Function: @unchecked Sendable {
        let method: OpaquePointer?
    }

    private static let sha256 = unsafe Function(method: EVP_MD_fetch(nil, "SHA256", nil))

    /// The SHA-256 (FIPS 180-4) of bytes that are no secret; looks the function up once, and so is faster than
    /// `HashFunction` for short messages.
    ///
    /// Traps if libcrypto has no SHA-256, without which nothing else here works either, or no memory.
    package init(sha256 message: RawSpan) {
        unsafe self.init { output in
            guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory for EVP_MD_CTX") }
            defer { unsafe EVP_MD_CTX_free(context) }
            let done = unsafe message.withUnsafeBytes { message in
                unsafe EVP_DigestInit_ex2(context, Self.sha256.method, nil) == 1
                    && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
                    && EVP_DigestFinal_ex(context, output.bindMemory(to: UInt8.self).baseAddress, nil) == 1
            }
            precondition(done, "libcrypto computes SHA-256")
        }
    }
}
