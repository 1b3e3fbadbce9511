// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import KeyfobCLI
internal import KeyfobMemory
internal import KeyfobPlatform
internal import KeyfobTestSupport
import KeyfobWords
internal import Testing

struct OutputTests {
    @Test func `A non-blocking output takes everything`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        for end in ends { try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        let text = String(repeating: "0123456789", count: 50_000)
        let writing = Background {
            defer { close(writer) }
            try Console(input: -1, output: writer, error: -1, mayColor: false).write(text)
        }
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(reader, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 { all += chunk[..<count] } else { try #require(errno == EAGAIN) }
        }
        try writing.value()
        #expect(all == Array(text.utf8))
    }

    @Test func `JSON escapes what it has to and nothing else`() {
        #expect(JSON.string("a\"\\\n\r\t\u{1}\u{7F}é张🔑/").text == #""a\"\\\n\r\t\u0001\u007fé张🔑/""#)
    }

    @Test func `JSON is read back by another reader as it was`() throws {
        let value = JSON.object([
            ("text", .string("\u{0}\u{1F}\"\\ é 🔑")), ("number", .number(-42)), ("yes", .bool(true)), ("none", .null),
            ("list", .array([.number(1), .string("x"), .object([])])),
        ])
        let read = try #require(JSONSerialization.jsonObject(with: Data(value.text.utf8)) as? [String: Any])
        #expect(read["text"] as? String == "\u{0}\u{1F}\"\\ é 🔑")
        #expect(read["number"] as? Int == -42)
        #expect(read["yes"] as? Bool == true)
        #expect(read["none"] is NSNull)
        #expect((read["list"] as? [Any])?.count == 3)
    }

    @Test(arguments: [
        [], [0xFF], [0xFF, 0xFE], [0xFF, 0xFE, 0xFD], [0xC0, 0x80, 0, 1], (128...255).map { UInt8($0) },
    ])
    func `Bytes that are no text are base64`(bytes: [UInt8]) {
        let expected = bytes.isEmpty ? "\"\"" : "{\"base64\": \"\(Data(bytes).base64EncodedString())\"}"
        #expect(JSON.bytes(WipedBytes(bytes)).text == expected)
    }

    @Test func `A secret's JSON is the same as anything else's`() throws {
        for bytes in [Array("a\"b".utf8), [0xFF], []] {
            let secret = try JSONText.secret(unsafe bytes.span.bytes)
            let text = secret.withBytes { unsafe $0.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
            #expect(text == JSON.bytes(WipedBytes(bytes)).text)
        }
    }

    @Test func `A table aligns what is wide and ends no line with blanks`() {
        var table = TextTable(["A", "B", "C"])
        table.append(["张三", "", "x"])
        table.append(["long cell", "y", ""])
        #expect(table.text == "A          B  C\n张三          x\nlong cell  y\n")
    }

    @Test func `A table cuts cells that are too wide`() {
        var table = TextTable(["A"], maximumWidth: 5)
        table.append(["abcdef"])
        table.append(["abcde"])
        table.append(["张三李四"])
        #expect(table.text == "A\nabcd…\nabcde\n张三…\n")
    }

    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (86399.9, "2001-01-01T23:59:59Z"), (-1.0, "2000-12-31T23:59:59Z"),
        (-0.25, "2000-12-31T23:59:59Z"), (95_817_600.0, "2004-01-15T00:00:00Z"),
        (-978_307_200.0, "1970-01-01T00:00:00Z"),
        (-26_352_000.0, "2000-03-02T00:00:00Z"), (-26_438_400.0, "2000-03-01T00:00:00Z"),
        (-26_524_800.0, "2000-02-29T00:00:00Z"), (.infinity, "inf"), (1e300, "1e+300"),
    ])
    func `A moment is written in UTC`(seconds: Double, text: String) {
        #expect(Timestamp.text(seconds) == text)
    }

    @Test func `A moment is what another calendar says`() {
        var random = SeededRandom.fresh()
        let formatter = ISO8601DateFormatter()
        for _ in 0..<2000 {
            let seconds = Double(Int.random(in: -13_000_000_000..<250_000_000_000, using: &random))
            let expected = formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
            #expect(Timestamp.text(seconds) == expected, "seed \(random.seed)")
        }
    }

    @Test func `Protocols have words, and other codes stay as they are`() {
        #expect(InternetProtocol.number("https") == 0x6874_7073)
        #expect(InternetProtocol.word(0x6874_7073) == "https")
        #expect(InternetProtocol.number("ssh") == 0x7373_6820)
        #expect(InternetProtocol.word(0x6162_6364) == "abcd")
        #expect(InternetProtocol.number("abcde") == nil)
        #expect(InternetProtocol.word(7) == "7")
        for word in InternetProtocol.words { #expect(InternetProtocol.number(word).map(InternetProtocol.word) == word) }
    }
}
