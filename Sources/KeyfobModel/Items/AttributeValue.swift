// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// The value of an attribute, in the type it was given and comes back in.
///
/// Text is UTF-8 and is never normalised: two spellings that Unicode calls equal are two values. Equality is that of
/// the stored form; whether two values *match* is a question of their comparison bytes.
package enum AttributeValue: Hashable, Sendable {
    /// UTF-8.
    case text(WipedBytes)
    case data(WipedBytes)
    case number(Int64)
    /// Seconds since 2001-01-01T00:00:00Z, as `CFAbsoluteTime`.
    case date(Double)

    /// The text of a Swift string.
    package static func text(_ string: String) -> Self { .text(WipedBytes(utf8: string)) }

    /// Calls `body` with the bytes that stand for the value in comparison, uniqueness and search.
    ///
    /// - `blob`, `data`, `text`: the bytes themselves, so text and data with equal bytes match; a number is its 32-bit
    ///   little-endian form (`reference` of Apple's behaviour: 5 does not match "5").
    /// - `number`: `01` and 64 bits little-endian; a value kept as text is `02` and its UTF-8.
    /// - `date`: the bit pattern of the seconds, little-endian.
    package func withComparisonBytes<R, E: Error>(
        as kind: AttributeKind, _ body: (RawSpan) throws(E) -> R
    ) throws(E) -> R {
        switch (self, kind) {
        case (.text(let bytes), .number):
            return try WipedBytes([2] + bytes.array).withBytes(body)
        case (.text(let bytes), _), (.data(let bytes), _):
            return try bytes.withBytes(body)
        case (.number(let number), .number):
            return unsafe try body(([1] + littleEndian(UInt64(bitPattern: number), 8)).span.bytes)
        case (.number(let number), _):
            return unsafe try body(littleEndian(UInt64(bitPattern: number), 4).span.bytes)
        case (.date(let seconds), _):
            // -0.0 and 0.0 are one moment.
            return unsafe try body(littleEndian((seconds + 0.0).bitPattern, 8).span.bytes)
        }
    }

    /// Whether two values are equal in the sense of a query.
    package func matches(_ other: Self, as kind: AttributeKind) -> Bool {
        withComparisonBytes(as: kind) { mine in
            other.withComparisonBytes(as: kind) { theirs in
                unsafe mine.withUnsafeBytes { left in
                    unsafe theirs.withUnsafeBytes { right in unsafe left.elementsEqual(right) }
                }
            }
        }
    }

    private func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
