// SPDX-License-Identifier: Apache-2.0

/// What the token vouches for: that the audit log had this hash at that line.
package struct AuditCheckpoint: Hashable, Sendable {
    /// The number of the line.
    package let sequence: UInt64
    /// Microseconds since 1970-01-01T00:00:00Z, when the seal was made.
    package let time: Int64
    /// SHA-256 of the line, 32 bytes.
    package let hash: [UInt8]

    package init(sequence: UInt64, time: Int64, hash: [UInt8]) {
        precondition(hash.count == Self.hashSize, "a SHA-256 has 32 bytes")
        self.sequence = sequence
        self.time = time
        self.hash = hash
    }

    static let hashSize = 32
    static let encodedSize = 8 + 8 + hashSize

    /// `sequence 8 | time 8 | hash 32`, big-endian.
    var encoded: [UInt8] {
        Self.bigEndian(sequence) + Self.bigEndian(UInt64(bitPattern: time)) + hash
    }

    /// Nil unless there are 48 bytes.
    init?(encoded bytes: [UInt8]) {
        guard bytes.count == Self.encodedSize else { return nil }
        sequence = Self.number(bytes[0..<8])
        time = Int64(bitPattern: Self.number(bytes[8..<16]))
        hash = Array(bytes[16...])
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
