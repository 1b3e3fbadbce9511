// SPDX-License-Identifier: Apache-2.0

/// The search digests of one item as its row keeps them: 16 bytes each, sorted, without repetition, end to end.
///
/// The row keeps them so that an item's search rows can be found while the keys that made the digests are locked.
struct DigestList: Hashable {
    /// The size of a search digest and of `tuple`, in bytes.
    static let digestSize = 16

    let digests: [[UInt8]]

    /// Nil if a digest has not 16 bytes.
    init?(_ digests: [[UInt8]]) {
        guard digests.allSatisfy({ $0.count == Self.digestSize }) else { return nil }
        var kept: [[UInt8]] = []
        for digest in digests.sorted(by: { $0.lexicographicallyPrecedes($1) }) where digest != kept.last {
            kept.append(digest)
        }
        self.digests = kept
    }

    /// Nil if the length is no multiple of 16.
    init?(stored bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: Self.digestSize) else { return nil }
        digests = stride(from: 0, to: bytes.count, by: Self.digestSize).map {
            Array(bytes[$0..<$0 + Self.digestSize])
        }
    }

    /// What the row holds.
    var stored: [UInt8] { digests.flatMap { $0 } }
}
