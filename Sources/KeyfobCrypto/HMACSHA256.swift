// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
internal import Synchronization

/// HMAC-SHA-256 (RFC 2104, FIPS 198-1) with one key for many messages, by libcrypto.
///
/// Contexts are keyed once and lent to one message at a time. The key in them lies on libcrypto's heap, not in secret
/// memory; libcrypto wipes it when this object goes. Any number of threads may compute at once; no lock is held
/// meanwhile. A message allocates nothing.
package final class HMACSHA256: Sendable {
    /// A message on its way into the function.
    package struct Message: ~Copyable {
        fileprivate let context: MACContext

        /// Appends bytes.
        package mutating func append(_ bytes: RawSpan) {
            unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
        }

        /// Appends one byte.
        package mutating func append(_ byte: UInt8) {
            unsafe withUnsafeBytes(of: byte) { unsafe context.update($0) }
        }

        /// Appends four bytes, least significant first: a length before a part keeps parts apart.
        package mutating func append(_ number: UInt32) {
            unsafe withUnsafeBytes(of: number.littleEndian) { unsafe context.update($0) }
        }
    }

    /// Contexts kept for the next message: about as many as threads that compute at once.
    private static let kept = 8

    /// Never lent: the others are its copies.
    private let original: MACContext
    private let idle = Mutex<[MACContext]>([])

    /// - Throws: `.library`.
    package init(key: borrowing SecretBytes) throws(LibcryptoError) {
        original = try MACContext(hmacSHA256: key)
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
        let context = idle.withLock { $0.popLast() } ?? original.copy()
        context.restart()
        var message = Message(context: context)
        body(&message)
        unsafe context.finish(into: output)
        idle.withLock { idle in
            if idle.count < Self.kept { idle.append(context) }
        }
    }
}
