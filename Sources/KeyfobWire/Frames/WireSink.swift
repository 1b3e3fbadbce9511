// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

/// What a message is written to: once to learn its size, once for its bytes.
///
/// All numbers are big-endian. A field is its tag, four bytes of length, and that many bytes. What counts something is
/// never negative: such a number, which nobody has a use for, is written as 0.
protocol WireSink {
    mutating func put(_ byte: UInt8)
    mutating func put(_ number: UInt32)
    mutating func put(_ number: UInt64)
    mutating func put(_ bytes: RawSpan)
    /// Begins bytes that are preceded by their length; ends with `end`.
    mutating func begin() -> Int
    /// Sets the length of what began at `mark`.
    mutating func end(_ mark: Int)
}

extension WireSink {
    /// Begins a field; ends with `end`.
    mutating func begin(_ tag: UInt8) -> Int {
        put(tag)
        return begin()
    }

    mutating func field(_ tag: UInt8, _ byte: UInt8) {
        put(tag)
        put(UInt32(1))
        put(byte)
    }

    mutating func field(_ tag: UInt8, _ flag: Bool) { field(tag, flag ? 1 : 0 as UInt8) }

    mutating func field(_ tag: UInt8, _ number: UInt32) {
        put(tag)
        put(UInt32(4))
        put(number)
    }

    mutating func field(_ tag: UInt8, _ number: UInt64) {
        put(tag)
        put(UInt32(8))
        put(number)
    }

    mutating func field(_ tag: UInt8, _ bytes: RawSpan) {
        put(tag)
        sized(bytes)
    }

    mutating func field(_ tag: UInt8, _ bytes: [UInt8]) { unsafe field(tag, bytes.span.bytes) }

    mutating func field(_ tag: UInt8, _ text: String) { unsafe field(tag, text.utf8Span.span.bytes) }

    mutating func field(_ tag: UInt8, _ bytes: WipedBytes) {
        put(tag)
        sized(bytes)
    }

    /// Bytes after their length.
    mutating func sized(_ bytes: RawSpan) {
        put(UInt32(truncatingIfNeeded: bytes.byteCount))
        put(bytes)
    }

    mutating func sized(_ text: String) { unsafe sized(text.utf8Span.span.bytes) }

    mutating func sized(_ bytes: WipedBytes) {
        put(UInt32(truncatingIfNeeded: bytes.count))
        bytes.withBytes { put($0) }
    }
}

/// Counts.
struct LengthSink: WireSink {
    private(set) var count = 0

    mutating func put(_ byte: UInt8) { count += 1 }
    mutating func put(_ number: UInt32) { count += 4 }
    mutating func put(_ number: UInt64) { count += 8 }
    mutating func put(_ bytes: RawSpan) { count += bytes.byteCount }

    mutating func begin() -> Int {
        count += 4
        return count
    }

    mutating func end(_ mark: Int) {}
}

/// Writes into a buffer that is large enough, as a `LengthSink` found out; a longer message would be a fault of ours.
@safe struct BufferSink: WireSink {
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) {
        unsafe self.buffer = buffer
    }

    mutating func put(_ byte: UInt8) {
        unsafe buffer[count] = byte
        count += 1
    }

    mutating func put(_ number: UInt32) {
        unsafe buffer.storeBytes(of: number.bigEndian, toByteOffset: count, as: UInt32.self)
        count += 4
    }

    mutating func put(_ number: UInt64) {
        unsafe buffer.storeBytes(of: number.bigEndian, toByteOffset: count, as: UInt64.self)
        count += 8
    }

    mutating func put(_ bytes: RawSpan) {
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { source in
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<(count + source.count)]).copyMemory(
                from: source)
        }
        count += bytes.byteCount
    }

    mutating func begin() -> Int {
        put(UInt32(0))
        return count
    }

    mutating func end(_ mark: Int) {
        let length = UInt32(truncatingIfNeeded: count - mark)
        unsafe buffer.storeBytes(of: length.bigEndian, toByteOffset: mark - 4, as: UInt32.self)
    }
}
