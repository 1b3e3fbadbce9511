// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import Testing

struct WipedBytesTests {
    private func address(of bytes: WipedBytes) -> UInt {
        unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }

    @Test func `The bytes are gone when the last owner lets go`() {
        // Large, so that the freed block keeps its place and the allocator's own marks touch its ends only.
        let count = 64 * 1024
        var first: WipedBytes? = WipedBytes(Array(repeating: 0xAA, count: count))
        var second = first
        let place = first.map { address(of: $0) } ?? 0
        first = nil
        #expect(peek(place, count) == Array(repeating: 0xAA, count: count))
        second = nil
        #expect(second == nil)
        #expect(!peek(place + 64, 1024).contains(0xAA))
    }

    @Test func `Equal bytes are equal and hash alike, whoever holds them`() {
        let (a, b, c) = (WipedBytes([1, 2]), WipedBytes([1, 2]), WipedBytes([1, 3]))
        #expect(a == b)
        #expect(a != c)
        #expect(Set([a, b, c]).count == 2)
    }

    @Test func `A prefix is not equal to the whole`() {
        #expect(WipedBytes([1, 2]) != WipedBytes([1, 2, 3]))
        #expect(WipedBytes([1]) != WipedBytes())
    }

    @Test func `Empty bytes are equal, however they came to be`() {
        #expect(WipedBytes() == WipedBytes([]))
        #expect(WipedBytes() == WipedBytes(utf8: ""))
        #expect(WipedBytes().count == 0)
    }

    @Test func `Bytes are written where they stay`() {
        let bytes = unsafe WipedBytes(count: 3) { output in
            for index in 0..<3 { unsafe output[index] = UInt8(index) }
        }
        #expect(bytes.array == [0, 1, 2])
        #expect(unsafe WipedBytes(count: 0) { _ in } == WipedBytes())
    }

    @Test func `Text is kept as its UTF-8 without normalisation`() {
        let composed = WipedBytes(utf8: "\u{e9}")
        let decomposed = WipedBytes(utf8: "e\u{301}")
        #expect(composed.array == [0xC3, 0xA9])
        #expect(decomposed.array == [0x65, 0xCC, 0x81])
        #expect(composed != decomposed)
    }

    @Test func `Bytes that are no UTF-8 become replacement characters in text`() {
        #expect(WipedBytes([0x61, 0xFF]).string == "a\u{FFFD}")
    }
}
