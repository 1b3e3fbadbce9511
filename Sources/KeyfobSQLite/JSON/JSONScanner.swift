// SPDX-License-Identifier: Apache-2.0

/// Walks a JSON text by the grammar of RFC 8259 and names the place of its first fault, which SQLite 3.40 cannot.
struct JSONScanner {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var offset = 0
    private var depth = 0

    /// - Throws: `.malformed`, `.zeroCharacter` or `.tooDeep` with the place.
    static func check(_ text: String, maximumDepth: Int) throws(JSONError) {
        var scanner = JSONScanner(bytes: Array(text.utf8), maximumDepth: maximumDepth)
        try scanner.value()
        guard scanner.next == nil else { throw scanner.fault }
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        skipBlanks()
    }

    // MARK: - Grammar

    private mutating func value() throws(JSONError) {
        switch next {
        case UInt8(ascii: "{"):
            try container(closing: "}") { (scanner) throws(JSONError) in
                try scanner.string()
                scanner.skipBlanks()
                try scanner.expect(":")
                scanner.skipBlanks()
                try scanner.value()
            }
        case UInt8(ascii: "["):
            try container(closing: "]") { (scanner) throws(JSONError) in try scanner.value() }
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
        skipBlanks()
    }

    private mutating func container(
        closing: Unicode.Scalar, _ element: (inout JSONScanner) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard depth < maximumDepth else { throw JSONError(.tooDeep(limit: maximumDepth), offset: offset) }
        depth += 1
        offset += 1
        skipBlanks()
        if next != UInt8(ascii: closing) {
            try element(&self)
            skipBlanks()
            while next == UInt8(ascii: ",") {
                offset += 1
                skipBlanks()
                try element(&self)
                skipBlanks()
            }
        }
        try expect(closing)
        depth -= 1
    }

    private mutating func string() throws(JSONError) {
        try expect("\"")
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw byte == 0 ? JSONError(.zeroCharacter, offset: offset) : fault }
            if byte == UInt8(ascii: "\\") { try escape() } else { offset += 1 }
        }
        try expect("\"")
    }

    private mutating func escape() throws(JSONError) {
        let start = offset
        offset += 1
        guard let letter = next, "\"\\/bfnrtu".utf8.contains(letter) else { throw fault }
        offset += 1
        guard letter == UInt8(ascii: "u") else { return }
        var isZero = true
        for _ in 0..<4 {
            guard let digit = next, "0123456789abcdefABCDEF".utf8.contains(digit) else { throw fault }
            isZero = isZero && digit == UInt8(ascii: "0")
            offset += 1
        }
        if isZero { throw JSONError(.zeroCharacter, offset: start) }
    }

    private mutating func number() throws(JSONError) {
        if next == UInt8(ascii: "-") { offset += 1 }
        if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            offset += 1
            try digits()
        }
        guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E") else { return }
        offset += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
        try digits()
    }

    private mutating func digits() throws(JSONError) {
        let start = offset
        while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { offset += 1 }
        guard offset > start else { throw fault }
    }

    private mutating func word(_ word: String) throws(JSONError) {
        for scalar in word.unicodeScalars { try expect(scalar) }
    }

    // MARK: - Bytes

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private var fault: JSONError {
        next == 0 ? JSONError(.zeroCharacter, offset: offset) : JSONError(.malformed, offset: offset)
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws(JSONError) {
        guard next == UInt8(ascii: scalar) else { throw fault }
        offset += 1
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }
}
