// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

/// Goes through a part of a message; every read is checked against the end of that part.
struct WireCursor {
    /// A field: its tag and where its bytes are.
    struct Field {
        let tag: UInt8
        let range: Range<Int>
    }

    private(set) var offset: Int
    let end: Int
    private var lastTag: UInt8 = 0

    /// The whole of a body.
    init(_ bytes: RawSpan) {
        self.init(0..<bytes.byteCount)
    }

    /// A part of a body.
    init(_ range: Range<Int>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }

    /// The next field, or nil at the end; tags grow, so none comes twice and each message has one form.
    mutating func field(_ bytes: RawSpan) throws(WireError) -> Field? {
        guard !isAtEnd else { return nil }
        let start = offset
        let tag = try byte(bytes)
        guard tag > lastTag else { throw WireError(at: start, .unorderedField) }
        lastTag = tag
        return Field(tag: tag, range: try sized(bytes))
    }

    mutating func byte(_ bytes: RawSpan) throws(WireError) -> UInt8 {
        try take(1)
        return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset - 1, as: UInt8.self)
    }

    mutating func number32(_ bytes: RawSpan) throws(WireError) -> UInt32 {
        try take(4)
        return UInt32(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset - 4, as: UInt32.self))
    }

    mutating func number64(_ bytes: RawSpan) throws(WireError) -> UInt64 {
        try take(8)
        return UInt64(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset - 8, as: UInt64.self))
    }

    /// Where the bytes are that follow their length.
    mutating func sized(_ bytes: RawSpan) throws(WireError) -> Range<Int> {
        let count = Int(try number32(bytes))
        let start = offset
        try take(count)
        return start..<offset
    }

    /// Where the rest is.
    mutating func rest() -> Range<Int> {
        let range = offset..<end
        offset = end
        return range
    }

    /// Throws unless everything was read.
    func finish() throws(WireError) {
        guard isAtEnd else { throw WireError(at: offset, .trailingBytes) }
    }

    private mutating func take(_ count: Int) throws(WireError) {
        guard count <= end - offset else { throw WireError(at: offset, .truncated) }
        offset += count
    }
}

/// The values of fields.
enum WireValue {
    static func byte(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> UInt8 {
        var cursor = WireCursor(range)
        let value = try cursor.byte(bytes)
        try cursor.finish()
        return value
    }

    static func flag(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> Bool {
        switch try byte(bytes, range) {
        case 0: return false
        case 1: return true
        default: throw WireError(at: range.lowerBound, .badValue)
        }
    }

    static func number32(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> UInt32 {
        var cursor = WireCursor(range)
        let value = try cursor.number32(bytes)
        try cursor.finish()
        return value
    }

    static func number64(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> UInt64 {
        var cursor = WireCursor(range)
        let value = try cursor.number64(bytes)
        try cursor.finish()
        return value
    }

    /// A number that counts something.
    static func count(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> Int {
        guard let value = Int(exactly: try number64(bytes, range)) else {
            throw WireError(at: range.lowerBound, .badValue)
        }
        return value
    }

    /// Seconds since a moment, which are a number: no NaN, nothing infinite.
    static func seconds(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> Double {
        let value = Double(bitPattern: try number64(bytes, range))
        guard value.isFinite else { throw WireError(at: range.lowerBound, .badValue) }
        return value
    }

    /// The case of an enumeration with that word.
    static func word<T: RawRepresentable>(
        _ bytes: RawSpan, _ range: Range<Int>, as type: T.Type = T.self
    ) throws(WireError) -> T where T.RawValue == String {
        let text = try text(bytes, range)
        // Equal texts may have other bytes; a word has one form.
        guard let value = T(rawValue: text), value.rawValue.utf8.elementsEqual(text.utf8) else {
            throw WireError(at: range.lowerBound, .badValue)
        }
        return value
    }

    /// The case of an enumeration with that raw value.
    static func known<T: RawRepresentable>(
        _ bytes: RawSpan, _ range: Range<Int>, as type: T.Type = T.self
    ) throws(WireError) -> T where T.RawValue == UInt8 {
        guard let value = T(rawValue: try byte(bytes, range)) else { throw WireError(at: range.lowerBound, .badValue) }
        return value
    }

    static func array(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> [UInt8] {
        try check(range)
        return unsafe bytes.extracting(range).withUnsafeBytes { unsafe Array($0) }
    }

    static func wiped(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> WipedBytes {
        try check(range)
        return WipedBytes(copying: bytes.extracting(range))
    }

    /// Text; bytes that are no UTF-8 are an error, so that each text has one form.
    static func text(_ bytes: RawSpan, _ range: Range<Int>) throws(WireError) -> String {
        try check(range)
        let text = unsafe bytes.extracting(range).withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        guard let text else { throw WireError(at: range.lowerBound, .badValue) }
        return text
    }

    static func secret(_ bytes: RawSpan, _ range: Range<Int>, limit: Int) throws(WireError) -> SecretBytes {
        guard range.count <= limit else { throw WireError(at: range.lowerBound, .tooLarge) }
        do throws(SecretMemoryError) { return try SecretBytes(copying: bytes.extracting(range)) } catch {
            throw WireError(at: range.lowerBound, .noMemory)
        }
    }

    private static func check(_ range: Range<Int>) throws(WireError) {
        guard range.count <= WireLimits.textSize else { throw WireError(at: range.lowerBound, .tooLarge) }
    }
}
