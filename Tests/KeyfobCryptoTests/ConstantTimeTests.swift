// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import Testing

@Suite struct ConstantTimeTests {
    private func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe ConstantTime.equal(left.span.bytes, right.span.bytes)
    }

    @Test func `Equal bytes are equal, and none are too`() {
        #expect(equal([1, 2, 3], [1, 2, 3]))
        #expect(equal([], []))
    }

    @Test(arguments: 0..<32)
    func `One changed bit anywhere is a difference`(index: Int) {
        var other = repeated(7, 32)
        other[index] ^= 0x80
        #expect(!equal(repeated(7, 32), other))
    }

    @Test func `A part is not the whole`() {
        #expect(!equal([1, 2, 3], [1, 2]))
        #expect(!equal([], [0]))
    }
}
