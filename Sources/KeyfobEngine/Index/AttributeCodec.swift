// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// The encoding of an item's attributes before they are sealed: one entry an attribute, in the order of names.
///
/// ```
///   name 4 | type 1 (1 text, 2 data, 3 number, 4 date) | length 4 | bytes
/// ```
/// All numbers big-endian; a number is 8 bytes, a date the 8 bytes of its `Double` bit pattern. Decoding is total:
/// a name out of order, an unknown type or bytes left over make the whole encoding malformed.
enum AttributeCodec {
    private static let entryHeaderSize = 9

    /// The encoded attributes, in secret memory because they are about to be sealed.
    static func encode(_ attributes: AttributeSet) throws(SecretMemoryError) -> SecretBytes {
        let size = attributes.reduce(0) { $0 + entryHeaderSize + payloadSize($1.value) }
        var encoded = try SecretBytes(count: size)
        unsafe encoded.withUnsafeMutableBytes { buffer in
            var writer = unsafe Writer(buffer: buffer)
            for (name, value) in attributes {
                unsafe writer.put(UInt64(name.rawValue), bytes: 4)
                switch value {
                case .text(let bytes): unsafe writer.put(type: 1, bytes)
                case .data(let bytes): unsafe writer.put(type: 2, bytes)
                case .number(let number): unsafe writer.put(type: 3, UInt64(bitPattern: number))
                case .date(let seconds): unsafe writer.put(type: 4, seconds.bitPattern)
                }
            }
        }
        return encoded
    }

    /// The attributes, or nil if the bytes are no encoding.
    static func decode(_ bytes: RawSpan) -> AttributeSet? {
        var attributes = AttributeSet()
        var rest = bytes
        var last: UInt32 = 0
        while rest.byteCount > 0 {
            guard rest.byteCount >= entryHeaderSize else { return nil }
            let name = UInt32(truncatingIfNeeded: bigEndian(rest, 0, 4))
            let type = bigEndian(rest, 4, 1)
            let length = Int(bigEndian(rest, 5, 4))
            guard name > last, rest.byteCount - entryHeaderSize >= length else { return nil }
            let payload = rest.extracting(entryHeaderSize..<entryHeaderSize + length)
            guard let value = value(type: type, payload) else { return nil }
            attributes[AttributeName(rawValue: name)] = value
            last = name
            rest = rest.extracting((entryHeaderSize + length)...)
        }
        return attributes
    }

    private static func value(type: UInt64, _ payload: RawSpan) -> AttributeValue? {
        switch type {
        case 1: .text(WipedBytes(copying: payload))
        case 2: .data(WipedBytes(copying: payload))
        case 3 where payload.byteCount == 8: .number(Int64(bitPattern: bigEndian(payload, 0, 8)))
        case 4 where payload.byteCount == 8: .date(Double(bitPattern: bigEndian(payload, 0, 8)))
        default: nil
        }
    }

    private static func payloadSize(_ value: AttributeValue) -> Int {
        switch value {
        case .text(let bytes), .data(let bytes): bytes.count
        case .number, .date: 8
        }
    }

    private static func bigEndian(_ span: RawSpan, _ offset: Int, _ count: Int) -> UInt64 {
        (offset..<offset + count).reduce(0) { value, index in
            value << 8 | UInt64(unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self))
        }
    }

    @unsafe private struct Writer {
        let buffer: UnsafeMutableRawBufferPointer
        var position = 0

        mutating func put(_ value: UInt64, bytes count: Int) {
            for index in 0..<count {
                unsafe buffer[position + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
            }
            unsafe position += count
        }

        mutating func put(type: UInt64, _ number: UInt64) {
            unsafe put(type, bytes: 1)
            unsafe put(8, bytes: 4)
            unsafe put(number, bytes: 8)
        }

        mutating func put(type: UInt64, _ bytes: WipedBytes) {
            unsafe put(type, bytes: 1)
            unsafe put(UInt64(bytes.count), bytes: 4)
            unsafe bytes.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[position...]).copyMemory(from: source)
            }
            unsafe position += bytes.count
        }
    }
}
