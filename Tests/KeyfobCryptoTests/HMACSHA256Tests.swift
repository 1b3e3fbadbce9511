// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import Testing

/// RFC 4231, section 4; case 5 is about cutting the result and left out.
private struct HMACVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key: [UInt8]
    let data: [UInt8]
    let digest: [UInt8]

    static let all = [
        HMACVector(
            testDescription: "case 1", key: repeated(0x0b, 20), data: Array("Hi There".utf8),
            digest: hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")),
        HMACVector(
            testDescription: "case 2", key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8),
            digest: hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")),
        HMACVector(
            testDescription: "case 3", key: repeated(0xaa, 20), data: repeated(0xdd, 50),
            digest: hex("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")),
        HMACVector(
            testDescription: "case 4", key: Array(1...25), data: repeated(0xcd, 50),
            digest: hex("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")),
        HMACVector(
            testDescription: "case 6", key: repeated(0xaa, 131),
            data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            digest: hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")),
        HMACVector(
            testDescription: "case 7", key: repeated(0xaa, 131),
            data: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            digest: hex("9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")),
    ]
}

struct HMACSHA256Tests {
    private func function(_ key: [UInt8]) throws -> HMACSHA256 { try HMACSHA256(key: SecretBytes(copying: key)) }

    @Test(arguments: HMACVector.all)
    private func `The authenticator is the published one`(vector: HMACVector) throws {
        #expect(try function(vector.key).digest(of: vector.data).bytes == vector.digest)
    }

    @Test(arguments: HMACVector.all)
    private func `A message in parts has the authenticator of the whole`(vector: HMACVector) throws {
        let cut = vector.data.count / 3
        let digest = try function(vector.key).digest { message in
            unsafe message.append(vector.data.span.bytes.extracting(first: cut))
            for byte in vector.data[cut...] { message.append(byte) }
        }
        #expect(digest.bytes == vector.digest)
    }

    @Test func `One object gives the same authenticator again and again`() throws {
        let function = try function([1, 2, 3])
        let first = function.digest(of: [9, 9])
        _ = function.digest(of: [7])
        #expect(function.digest(of: [9, 9]) == first)
    }

    @Test func `A key of 64 bytes is used as it is and one of 65 is hashed first`() throws {
        let message = Array("message".utf8)
        let long = repeated(0x42, 65)
        let hashed = try HashFunction.sha256.digest(of: long)
        let expected = try function(hashed).digest(of: message)
        #expect(try function(long).digest(of: message) == expected)
        let block = repeated(0x42, 64)
        let hashedBlock = try HashFunction.sha256.digest(of: block)
        #expect(try function(block).digest(of: message) != function(hashedBlock).digest(of: message))
    }

    @Test func `An empty key and an empty message have an authenticator`() throws {
        let digest = try function([]).digest(of: [UInt8]())
        #expect(digest.bytes == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test func `A number is appended least significant byte first`() throws {
        let function = try function([5])
        #expect(function.digest { $0.append(UInt32(0x0403_0201)) } == function.digest(of: [1, 2, 3, 4]))
    }

    @Test func `Digests differ when one bit does and share prefixes with their bytes`() throws {
        let function = try function([5])
        let (a, b) = (function.digest(of: [0]), function.digest(of: [1]))
        #expect(a != b)
        #expect(a.prefix(16) == Array(a.bytes.prefix(16)))
        #expect(Set([a, b, a]).count == 2)
        #expect(a.withBytes { $0.byteCount } == Digest256.size)
    }
}
