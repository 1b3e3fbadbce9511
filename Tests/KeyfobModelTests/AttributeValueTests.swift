// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

struct AttributeValueTests {
    private func bytes(_ value: AttributeValue, _ kind: AttributeKind) -> [UInt8] {
        value.withComparisonBytes(as: kind) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    }

    private func data(_ bytes: [UInt8]) -> AttributeValue { .data(WipedBytes(bytes)) }

    @Test(arguments: [AttributeKind.blob, .data, .text])
    func `Text and data are compared by their bytes`(kind: AttributeKind) {
        #expect(bytes(.text("Zoë"), kind) == [0x5A, 0x6F, 0xC3, 0xAB])
        #expect(bytes(data([1, 2]), kind) == [1, 2])
        #expect(AttributeValue.text("abc").matches(data([97, 98, 99]), as: kind))
    }

    @Test func `Empty text and empty data match`() {
        #expect(AttributeValue.text("").matches(data([]), as: .blob))
    }

    @Test func `A number in a blob is its 32 bits, least significant byte first`() {
        #expect(bytes(.number(5), .blob) == [5, 0, 0, 0])
        #expect(bytes(.number(-1), .blob) == [255, 255, 255, 255])
        #expect(bytes(.number(0x0102_0304), .blob) == [4, 3, 2, 1])
    }

    @Test func `The number five does not match the text five`() {
        #expect(!AttributeValue.number(5).matches(.text("5"), as: .blob))
        #expect(!AttributeValue.number(5).matches(.text("5"), as: .number))
    }

    @Test func `A number attribute is a one and its 64 bits`() {
        #expect(bytes(.number(443), .number) == [1, 0xBB, 1, 0, 0, 0, 0, 0, 0])
        #expect(bytes(.number(-2), .number) == [1, 0xFE, 255, 255, 255, 255, 255, 255, 255])
    }

    @Test func `Text in a number attribute is a two and its UTF-8`() {
        #expect(bytes(.text("http"), .number) == [2] + Array("http".utf8))
    }

    @Test func `No text can pass for a number`() {
        let forged = AttributeValue.text("\u{BB}\u{1}")
        #expect(bytes(forged, .number).first != bytes(.number(443), .number).first)
    }

    @Test func `A date is the bit pattern of its seconds`() {
        #expect(bytes(.date(1.5), .date) == [0, 0, 0, 0, 0, 0, 0xF8, 0x3F])
    }

    @Test func `Minus zero and zero are one moment`() {
        #expect(AttributeValue.date(-0.0).matches(.date(0), as: .date))
    }

    @Test func `Two spellings that Unicode calls equal are two values`() {
        let (composed, decomposed) = (AttributeValue.text("\u{e9}"), AttributeValue.text("e\u{301}"))
        #expect(!composed.matches(decomposed, as: .blob))
        #expect(composed != decomposed)
    }

    @Test func `Case matters`() {
        #expect(!AttributeValue.text("Alice").matches(.text("alice"), as: .blob))
    }

    @Test func `Text and data with equal bytes match but are not the same value`() {
        #expect(AttributeValue.text("a") != data([97]))
    }
}
