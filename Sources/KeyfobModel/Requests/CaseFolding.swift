// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory

/// Text with the differences of case taken out, so that equal bytes mean equal but for case.
///
/// Each scalar goes to lower, upper and lower case by Unicode's full mappings, without regard to language or place: `ß`
/// and `SS` become `ss`, both small sigmas one. Nothing is normalised: a letter with an accent and the same in two scalars
/// stay two spellings. Bytes that are no UTF-8 stay as they are. Folding twice is folding once.
enum CaseFolding {
    /// The folded bytes; wiped as those of the text are.
    static func folded(_ text: WipedBytes) -> WipedBytes {
        unsafe text.withUnsafeBytes { bytes in
            guard !(unsafe bytes.allSatisfy { $0 < 0x80 && !isUpper($0) }) else { return text }
            var count = 0
            unsafe forEachFolded(bytes) { _ in count += 1 }
            return unsafe WipedBytes(
                count: count,
                writtenBy: { output in
                    var position = 0
                    unsafe forEachFolded(bytes) { byte in
                        unsafe output[position] = byte
                        position += 1
                    }
                })
        }
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    /// Goes through the folded bytes without keeping any of them in memory of its own.
    private static func forEachFolded(_ bytes: UnsafeRawBufferPointer, _ body: (UInt8) -> Void) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = unsafe bytes.makeIterator()
        var position = 0
        while true {
            switch unsafe parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                fold(Unicode.UTF8.decode(encoded), body)
                position += encoded.count
            case .error(let length):
                for offset in 0..<length { unsafe body(bytes[position + offset]) }
                position += length
            case .emptyInput:
                return
            }
        }
    }

    private static func fold(_ scalar: Unicode.Scalar, _ body: (UInt8) -> Void) {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            return body(isUpper(byte) ? byte + 0x20 : byte)
        }
        // The mappings of one scalar are short enough for strings that have no memory on the heap.
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            for upper in lower.properties.uppercaseMapping.unicodeScalars {
                for byte in upper.properties.lowercaseMapping.utf8 { body(byte) }
            }
        }
    }
}
