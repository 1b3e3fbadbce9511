// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// Puts the members of a line of the audit log one behind the other.
struct AuditLineWriter {
    /// The most bytes of a unit's or an executable's name; the rest is cut off.
    static let textLimit = 1024

    var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(512)
    }

    /// Appends text as it is.
    mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends a number member; `name` is the whole of it: `,"uid":`.
    mutating func number(_ name: StaticString, _ number: UInt64) {
        raw(name)
        self.number(number)
    }

    mutating func number(_ number: UInt64) {
        guard number >= 10 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        let start = bytes.count
        var rest = number
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        bytes[start...].reverse()
    }

    /// Appends a string member (RFC 8259 §7); control characters become `\u00XX`.
    mutating func text(_ name: StaticString, _ text: String) {
        raw(name)
        bytes.append(UInt8(ascii: "\""))
        for byte in Self.limited(text).utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                raw("\\u00")
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func hexadecimal(_ name: StaticString, _ digest: [UInt8]) {
        raw(name)
        bytes.append(UInt8(ascii: "\""))
        hexadecimal(unsafe digest.span.bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func hexadecimal(_ digest: RawSpan) {
        for index in 0..<digest.byteCount {
            let byte = unsafe digest.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            bytes.append(Self.digit(byte >> 4))
            bytes.append(Self.digit(byte & 15))
        }
    }

    /// Appends a UUID: 8-4-4-4-12 digits.
    mutating func uuid(_ uuid: ItemUUID) {
        let all = unsafe uuid.bytes.span.bytes
        hexadecimal(all.extracting(0..<4))
        for group in [4..<6, 6..<8, 8..<10, 10..<16] {
            bytes.append(UInt8(ascii: "-"))
            hexadecimal(all.extracting(group))
        }
    }

    /// Appends a list of strings that need no escaping.
    mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ write: (inout AuditLineWriter, Element) -> Void
    ) {
        raw(name)
        for (index, element) in elements.enumerated() {
            if index == 0 { raw("[\"") } else { raw(",\"") }
            write(&self, element)
            raw("\"")
        }
        raw("]")
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func limited(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        var kept = ""
        var size = 0
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            guard size <= textLimit else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }
}
