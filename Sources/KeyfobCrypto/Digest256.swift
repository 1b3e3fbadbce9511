// SPDX-License-Identifier: Apache-2.0

/// The 32 bytes of a SHA-256 or HMAC-SHA-256, held without an allocation.
///
/// Comparing two takes a time that does not depend on where they differ.
package struct Digest256: Hashable, Sendable {
    /// Number of bytes.
    package static let size = 32

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// What `body` writes into the 32 zero bytes that it is lent.
    init(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        unsafe withUnsafeMutableBytes(of: &words) { unsafe body($0) }
    }

    /// A digest that was written down; nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        unsafe self.init { unsafe $0.copyBytes(from: bytes) }
    }

    /// Lends the bytes for the time of `body`.
    package func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        unsafe try withUnsafeBytes(of: words) { (bytes) throws(E) in
            let span = unsafe RawSpan(_unsafeBytes: bytes)
            return try body(span)
        }
    }

    /// The bytes as an array.
    package var bytes: [UInt8] { prefix(Self.size) }

    /// The first `count` bytes as an array; at most 32.
    package func prefix(_ count: Int) -> [UInt8] {
        precondition(count <= Self.size, "a digest has 32 bytes")
        return unsafe withUnsafeBytes(of: words) { unsafe Array($0.prefix(count)) }
    }

    package static func == (lhs: Self, rhs: Self) -> Bool {
        let (a, b) = (lhs.words, rhs.words)
        return (a.0 ^ b.0) | (a.1 ^ b.1) | (a.2 ^ b.2) | (a.3 ^ b.3) == 0
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}
