// SPDX-License-Identifier: Apache-2.0

/// The twelve bytes that every frame begins with; their layout is the same in every version of the protocol.
///
/// ```
///   0        4         5           6          8            12
///   | length | version | operation | reserved | request id | body, `length` bytes
///   | u32    | u8      | u8        | u16 = 0  | u32        |
/// ```
/// All numbers are big-endian.
package struct FrameHeader: Hashable, Sendable {
    /// The bytes of a header.
    package static let size = 12

    /// Bytes that follow the header.
    package var length: UInt32
    package var version: UInt8
    /// What is asked for, or what kind of answer it is (docs/wire.md).
    package var operation: UInt8
    /// Chosen by who asks; the answer carries the same.
    package var requestID: UInt32

    package init(length: UInt32, version: UInt8 = WireLimits.version, operation: UInt8, requestID: UInt32) {
        self.length = length
        self.version = version
        self.operation = operation
        self.requestID = requestID
    }

    /// The header at the start of `bytes`; the version may be any.
    ///
    /// What another version means by the reserved bytes and allows as length is not judged, so that its sender can be told
    /// of the mismatch.
    ///
    /// - Throws: `WireError` if there are fewer than `size` bytes, or, in this version, the reserved ones are not 0 or the
    ///   length exceeds `WireLimits.bodySize`.
    package init(decoding bytes: RawSpan) throws(WireError) {
        guard bytes.byteCount >= Self.size else { throw WireError(at: bytes.byteCount, .truncated) }
        length = Self.number(bytes, at: 0)
        version = UInt8(truncatingIfNeeded: Self.number(bytes, at: 4) >> 24)
        operation = UInt8(truncatingIfNeeded: Self.number(bytes, at: 4) >> 16)
        requestID = Self.number(bytes, at: 8)
        guard version == WireLimits.version else { return }
        guard length <= WireLimits.bodySize else { throw WireError(at: 0, .tooLarge) }
        guard Self.number(bytes, at: 4) & 0xFFFF == 0 else { throw WireError(at: 6, .reservedBits) }
    }

    /// The twelve bytes.
    package var encoded: [UInt8] {
        let words = [length, UInt32(version) << 24 | UInt32(operation) << 16, requestID]
        return words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    private static func number(_ bytes: RawSpan, at offset: Int) -> UInt32 {
        UInt32(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
