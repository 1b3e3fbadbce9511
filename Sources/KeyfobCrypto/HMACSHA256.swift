// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobLibcrypto
package import KeyfobMemory

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1) with one key for many messages.
///
/// The key itself is not kept, only the two SHA-256 states that follow from it, and these lie in secret memory: that is
/// why libcrypto's plain `SHA256_CTX` is used, which is a value, and not an `EVP_MAC_CTX`, which would keep the key on
/// the ordinary heap for as long as this object lives. A message costs no lock and no allocation; any number of threads
/// may compute at once. Nothing here can fail but the memory.
package final class HMACSHA256: Sendable {
    /// A message on its way into the function.
    package struct Message: ~Copyable {
        fileprivate var state: SHA256_CTX

        fileprivate init(_ state: SHA256_CTX) {
            self.state = state
        }

        /// Appends bytes.
        package mutating func append(_ bytes: RawSpan) {
            unsafe bytes.withUnsafeBytes { _ = unsafe SHA256_Update(&state, $0.baseAddress, $0.count) }
        }

        /// Appends one byte.
        package mutating func append(_ byte: UInt8) {
            unsafe withUnsafeBytes(of: byte) { _ = unsafe SHA256_Update(&state, $0.baseAddress, 1) }
        }

        /// Appends four bytes, least significant first: a length before a part keeps parts apart.
        package mutating func append(_ number: UInt32) {
            unsafe withUnsafeBytes(of: number.littleEndian) { _ = unsafe SHA256_Update(&state, $0.baseAddress, 4) }
        }
    }

    private static let blockSize = 64
    private static let stateSize = MemoryLayout<SHA256_CTX>.stride

    // Inner state, then outer state.
    private let states: SecretBytes

    /// - Throws: `.memory`.
    package init(key: borrowing SecretBytes) throws(LibcryptoError) {
        var block = try SecretBytes.zeros(Self.blockSize)
        var states = try SecretBytes.zeros(2 * Self.stateSize)
        unsafe block.withUnsafeMutableBytes { block in
            unsafe key.withUnsafeBytes { key in
                if key.count > Self.blockSize {
                    unsafe SHA256(key.baseAddress, key.count, block.baseAddress)
                } else {
                    unsafe block.copyMemory(from: key)
                }
            }
            unsafe states.withUnsafeMutableBytes { states in
                let contexts = unsafe states.bindMemory(to: SHA256_CTX.self)
                for index in block.indices { unsafe block[index] ^= 0x36 }
                unsafe SHA256_Init(&contexts[0])
                unsafe SHA256_Update(&contexts[0], block.baseAddress, block.count)
                for index in block.indices { unsafe block[index] ^= 0x36 ^ 0x5c }
                unsafe SHA256_Init(&contexts[1])
                unsafe SHA256_Update(&contexts[1], block.baseAddress, block.count)
            }
        }
        self.states = states
    }

    /// The authenticator of the message that `body` appends.
    package func digest(_ body: (inout Message) -> Void) -> Digest256 {
        unsafe Digest256 { unsafe digest(into: $0, body) }
    }

    /// The authenticator of one run of bytes.
    package func digest(_ bytes: RawSpan) -> Digest256 {
        digest { $0.append(bytes) }
    }

    /// Writes the authenticator, which may be a key, to the 32 bytes of `output`.
    func digest(into output: UnsafeMutableRawBufferPointer, _ body: (inout Message) -> Void) {
        precondition(output.count == Digest256.size, "an authenticator has 32 bytes")
        let bytes = unsafe output.bindMemory(to: UInt8.self).baseAddress
        unsafe states.withUnsafeBytes { states in
            let contexts = unsafe states.bindMemory(to: SHA256_CTX.self)
            var message = unsafe Message(contexts[0])
            body(&message)
            unsafe SHA256_Final(bytes, &message.state)
            message.state = unsafe contexts[1]
            unsafe SHA256_Update(&message.state, bytes, Digest256.size)
            unsafe SHA256_Final(bytes, &message.state)
            // The state is on the stack and now equals the authenticator, which HKDF uses as a key.
            unsafe OPENSSL_cleanse(&message.state, Self.stateSize)
        }
    }
}
