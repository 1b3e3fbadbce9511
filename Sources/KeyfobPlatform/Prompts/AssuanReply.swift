// SPDX-License-Identifier: Apache-2.0

/// One line of a server in the Assuan protocol (libassuan's manual, "Server responses").
enum AssuanReply: Hashable, Sendable {
    case ok
    /// `ERR`: the code of libgpg-error, source included.
    case error(code: UInt32)
    /// `D`: the bytes of the line that are the data, still percent-encoded.
    case data(Range<Int>)
    case inquire
    /// `S` and comments.
    case notice

    /// The reply that a line without its newline is, or nil if it is none.
    init?(_ line: UnsafeRawBufferPointer) {
        let word = unsafe line.prefix { $0 != UInt8(ascii: " ") }
        if unsafe word.elementsEqual("OK".utf8) {
            self = .ok
        } else if unsafe word.elementsEqual("D".utf8) {
            self = .data(min(2, line.count)..<line.count)
        } else if unsafe word.elementsEqual("ERR".utf8) {
            let digits = unsafe line.dropFirst(4).prefix { $0 != UInt8(ascii: " ") }
            guard let code = unsafe UInt32(String(decoding: digits, as: UTF8.self)) else { return nil }
            self = .error(code: code)
        } else if unsafe word.elementsEqual("INQUIRE".utf8) {
            self = .inquire
        } else if unsafe word.elementsEqual("S".utf8) || line.first == UInt8(ascii: "#") {
            self = .notice
        } else {
            return nil
        }
    }

    /// Whether an error code means that the person will not: GPG_ERR_CANCELED, GPG_ERR_FULLY_CANCELED,
    /// GPG_ERR_NOT_CONFIRMED (gpg-error.h); the upper bits only name the program.
    static func isCancel(_ code: UInt32) -> Bool { [99, 198, 114].contains(code & 0xFFFF) }

    /// Whether an error code is GPG_ERR_TIMEOUT.
    static func isTimeout(_ code: UInt32) -> Bool { code & 0xFFFF == 62 }

    /// Writes percent-encoded `data` to `output`, decoded; the count, or nil if it is malformed or too long.
    static func decode(_ data: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        var position = 0
        while position < data.count {
            guard count < output.count else { return nil }
            if unsafe data[position] == UInt8(ascii: "%") {
                guard position + 2 < data.count, let high = unsafe nibble(data[position + 1]),
                    let low = unsafe nibble(data[position + 2])
                else { return nil }
                unsafe output[count] = high << 4 | low
                position += 3
            } else {
                unsafe output[count] = unsafe data[position]
                position += 1
            }
            count += 1
        }
        return count
    }

    /// A parameter of a command, with what would end it or be decoded written as percent and two digits.
    static func encode(_ text: String) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            byte < 0x20 || byte == UInt8(ascii: "%") || byte == 0x7F
                ? Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8) : [byte]
        }
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
