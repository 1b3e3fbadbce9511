// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
@_spi(_Unicode) internal import Swift

/// The form in which every PIN goes to a token: UTF-8 in Unicode's normal form C (UAX #15), without a NUL.
///
/// To a token a PIN is bytes: an "é" typed on one keyboard as one character and on another as a letter and an accent
/// would be two PINs. Bytes that are no UTF-8 go as they are.
enum PINNormalForm {
    /// Lends the PIN in that form for the time of `body`: itself, if a glance shows it to be in the form, as any in ASCII.
    ///
    /// Any other passes, in pieces between two ASCII characters, through memory of the Swift runtime,
    /// which is freed and not wiped (SECURITY.md).
    ///
    /// - Throws: `.pinNotTried(.zeroByte)`; `.memory`; what `body` throws.
    static func with<R: ~Copyable>(
        _ pin: borrowing SecretBytes, on line: Line, _ body: (borrowing SecretBytes) throws(PKCS11Error) -> R
    ) throws(PKCS11Error) -> R {
        switch unsafe pin.withUnsafeBytes({ unsafe form(of: $0) }) {
        case .holdsZero: throw line.error(.pinNotTried(.zeroByte))
        case .normal: return try body(pin)
        case .other:
            let composed: SecretBytes
            do { composed = try composing(pin) } catch { throw line.error(.memory(error)) }
            return try body(composed)
        }
    }

    private enum Form {
        case normal
        case other
        case holdsZero
    }

    private static func form(of bytes: UnsafeRawBufferPointer) -> Form {
        var isASCII = true
        for place in bytes.indices {
            if unsafe bytes[place] == 0 { return .holdsZero }
            if unsafe bytes[place] >= 0x80 { isASCII = false }
        }
        guard !isASCII else { return .normal }
        let typed = unsafe bytes.bindMemory(to: UInt8.self)
        // What is no text has no other form.
        guard var text = unsafe try? UTF8Span(validating: typed.span) else { return .normal }
        // A form that only may be another is composed too, and stays what it is.
        return text.checkForNFC(quickCheck: true) ? .normal : .other
    }

    private static func composing(_ pin: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        // Composing makes UTF-8 at most three times as long (UAX #15, section 12.1).
        var composed = try SecretBytes(count: 3 * pin.count)
        let count = unsafe pin.withUnsafeBytes { input in
            unsafe composed.withUnsafeMutableBytes { output in unsafe compose(input, into: output) }
        }
        composed.truncate(to: count)
        return composed
    }

    /// Writes valid UTF-8 in normal form C; how many bytes there are.
    private static func compose(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        var count = 0
        var start = 0
        while start < input.count {
            // Nothing joins an ASCII character with what stands before it.
            var end = start + 1
            while end < input.count, unsafe input[end] >= 0x80 { end += 1 }
            let piece = unsafe String(decoding: UnsafeRawBufferPointer(rebasing: input[start..<end]), as: UTF8.self)
            for scalar in piece._nfc {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    unsafe output[count] = byte
                    count += 1
                }
            }
            start = end
        }
        return count
    }
}
