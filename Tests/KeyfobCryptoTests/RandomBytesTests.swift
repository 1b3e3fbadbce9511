// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import Testing

struct RandomBytesTests {
    @Test(arguments: [0, 1, 12, 4097])
    func `As many bytes come as were asked for`(count: Int) throws {
        #expect(try RandomBytes.bytes(count).count == count)
        #expect(try RandomBytes.secret(count).count == count)
    }

    @Test func `Two draws differ`() throws {
        #expect(try RandomBytes.bytes(32) != RandomBytes.bytes(32))
        #expect(try RandomBytes.secret(32).exposed != RandomBytes.secret(32).exposed)
    }

    @Test func `Every byte of a buffer is filled`() throws {
        // Of 64 draws each byte is zero throughout with a chance of 2^-512.
        var seen = repeated(0, 100)
        for _ in 0..<64 {
            var buffer = repeated(0, 100)
            unsafe try buffer.withUnsafeMutableBytes { unsafe try RandomBytes.fill($0) }
            for index in buffer.indices { seen[index] |= buffer[index] }
        }
        #expect(!seen.contains(0))
    }
}
