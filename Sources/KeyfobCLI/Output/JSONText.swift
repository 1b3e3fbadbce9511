// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// The JSON form of bytes, made byte by byte so that a secret's never lies outside of secret memory.
package enum JSONText {
    /// Emits a quoted string if the bytes are UTF-8, else an object with the single member `base64`.
    package static func write(_ bytes: RawSpan, _ emit: (UInt8) -> Void) {
        // The error would say where the bytes stop being UTF-8; that they do is all that matters here.
        let isText = unsafe bytes.withUnsafeBytes { unsafe (try? UTF8Span(validating: Span(_unsafeBytes: $0))) != nil }
        if isText {
            writeString(bytes, emit)
        } else {
            writeLiteral("{\"base64\": \"", emit)
            writeBase64(bytes, emit)
            writeLiteral("\"}", emit)
        }
    }

    /// The same into secret memory.
    package static func secret(_ bytes: RawSpan) throws(SecretMemoryError) -> SecretBytes {
        var size = 0
        write(bytes) { _ in size += 1 }
        var made = try SecretBytes(count: size)
        unsafe made.withUnsafeMutableBytes { buffer in
            var position = 0
            write(bytes) { byte in
                unsafe buffer[position] = byte
                position += 1
            }
        }
        return made
    }

    private static func writeLiteral(_ text: StaticString, _ emit: (UInt8) -> Void) {
        text.withUTF8Buffer { unsafe $0.forEach(emit) }
    }

    private static func writeString(_ bytes: RawSpan, _ emit: (UInt8) -> Void) {
        emit(UInt8(ascii: "\""))
        for index in 0..<bytes.byteCount {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                emit(UInt8(ascii: "\\"))
                emit(byte)
            case 0x0A: writeLiteral("\\n", emit)
            case 0x0D: writeLiteral("\\r", emit)
            case 0x09: writeLiteral("\\t", emit)
            case 0..<0x20, 0x7F:
                writeLiteral("\\u00", emit)
                emit(hexadecimal(byte >> 4))
                emit(hexadecimal(byte & 15))
            default: emit(byte)
            }
        }
        emit(UInt8(ascii: "\""))
    }

    private static func writeBase64(_ bytes: RawSpan, _ emit: (UInt8) -> Void) {
        for start in stride(from: 0, to: bytes.byteCount, by: 3) {
            let length = min(3, bytes.byteCount - start)
            var group: UInt32 = 0
            for offset in 0..<3 {
                let byte =
                    unsafe offset < length ? bytes.unsafeLoad(fromByteOffset: start + offset, as: UInt8.self) : 0
                group = group << 8 | UInt32(byte)
            }
            for place in 0..<4 {
                emit(place <= length ? base64Digit(group >> UInt32(18 - 6 * place) & 63) : UInt8(ascii: "="))
            }
        }
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// RFC 4648 §4.
    private static func base64Digit(_ value: UInt32) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: value)
        switch digit {
        case 0..<26: return UInt8(ascii: "A") + digit
        case 26..<52: return UInt8(ascii: "a") + digit - 26
        case 52..<62: return UInt8(ascii: "0") + digit - 52
        case 62: return UInt8(ascii: "+")
        default: return UInt8(ascii: "/")
        }
    }
}
