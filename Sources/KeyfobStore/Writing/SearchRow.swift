// SPDX-License-Identifier: Apache-2.0

/// One row of table `search`, compared in the order of its primary key; flat, for there may be a million of them.
struct SearchRow: Comparable {
    let scope: Int64
    let item: Int64
    private let high: UInt64
    private let low: UInt64

    /// - Parameter digest: 16 bytes.
    init(scope: Int64, digest: [UInt8], item: Int64) {
        self.scope = scope
        self.item = item
        precondition(digest.count == DigestList.digestSize, "a search digest has 16 bytes")
        (high, low) = unsafe digest.withUnsafeBytes { bytes in
            unsafe (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// Lends the 16 bytes.
    func withDigest<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        unsafe try withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { (bytes) throws(E) in
            let span = unsafe RawSpan(_unsafeBytes: bytes)
            return try body(span)
        }
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.scope, left.high, left.low, left.item) < (right.scope, right.high, right.low, right.item)
    }
}
