// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobTestSupport
import Testing

struct SHA256Tests {
    @Test func `It is the hash function that has the name`() throws {
        var random = SeededRandom.fresh()
        for size in [0, 1, 55, 56, 63, 64, 65, 119, 400, 100_000] {
            let message = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            let expected = try HashFunction.sha256.digest(of: message)
            #expect(
                unsafe Digest256(sha256: message.span.bytes).bytes == expected,
                "\(size) bytes, seed \(random.seed)")
        }
    }

    @Test func `A digest that was written down is equal to itself`() {
        let digest = unsafe Digest256(sha256: Array("abc".utf8).span.bytes)
        #expect(Digest256(bytes: digest.bytes) == digest)
        #expect(Digest256(bytes: Array(digest.bytes.dropLast())) == nil)
    }
}
