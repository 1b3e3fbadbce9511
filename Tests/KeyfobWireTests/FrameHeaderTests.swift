// SPDX-License-Identifier: Apache-2.0
import KeyfobWire
import Testing

struct FrameHeaderTests {
    private let header = FrameHeader(length: 0x01020304, version: 9, operation: 7, requestID: 0xA0B0C0D0)

    private func decode(_ bytes: [UInt8]) throws(WireError) -> FrameHeader {
        unsafe try FrameHeader(decoding: bytes.span.bytes)
    }

    @Test func `A header is twelve bytes, big-endian`() {
        var small = header
        small.length = 0x010203
        #expect(small.encoded == [0, 1, 2, 3, 9, 7, 0, 0, 0xA0, 0xB0, 0xC0, 0xD0])
    }

    @Test func `A header survives encoding`() throws {
        var small = header
        small.length = 4096
        #expect(try decode(small.encoded) == small)
    }

    @Test func `A length above the cap is refused`() {
        #expect(throws: WireError(at: 0, .tooLarge)) {
            try decode(FrameHeader(length: UInt32(WireLimits.bodySize + 1), operation: 1, requestID: 1).encoded)
        }
    }

    @Test func `Reserved bits are refused`() {
        var bytes = FrameHeader(length: 0, operation: 1, requestID: 1).encoded
        bytes[7] = 1
        #expect(throws: WireError(at: 6, .reservedBits)) { try decode(bytes) }
    }

    @Test func `Fewer than twelve bytes are no header`() {
        for count in 0..<FrameHeader.size {
            #expect(throws: WireError(at: count, .truncated)) {
                try decode([UInt8](repeating: 0, count: count))
            }
        }
    }
}
