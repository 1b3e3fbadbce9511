// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import Testing

/// RFC 5869, appendix A, the cases with SHA-256.
private struct HKDFVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let input: [UInt8]
    let salt: [UInt8]
    let info: [UInt8]
    let output: [UInt8]

    static let all = [
        HKDFVector(
            testDescription: "A.1, basic", input: repeated(0x0b, 22), salt: Array(0x00...0x0c),
            info: Array(0xf0...0xf9),
            output: hex(
                """
                3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf
                34007208d5b887185865
                """)),
        HKDFVector(
            testDescription: "A.2, long", input: Array(0x00...0x4f), salt: Array(0x60...0xaf), info: Array(0xb0...0xff),
            output: hex(
                """
                b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                cc30c58179ec3e87c14c01d5c1f3434f1d87
                """)),
        HKDFVector(
            testDescription: "A.3, no salt, no info", input: repeated(0x0b, 22), salt: [], info: [],
            output: hex(
                """
                8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d
                9d201395faa4b61a96c8
                """)),
    ]
}

struct HKDFTests {
    private func derive(_ input: [UInt8], salt: [UInt8] = [], info: [UInt8] = [], _ count: Int) throws -> [UInt8] {
        let key = try SecretBytes(copying: input)
        return unsafe try HKDF.deriveKey(from: key, salt: salt.span.bytes, info: info.span.bytes, count: count).exposed
    }

    @Test(arguments: HKDFVector.all)
    private func `The key is the published one`(vector: HKDFVector) throws {
        let key = try derive(vector.input, salt: vector.salt, info: vector.info, vector.output.count)
        #expect(key == vector.output)
    }

    @Test(arguments: [1, 31, 32, 33, 64, HKDF.maximumCount])
    func `A shorter key is the beginning of a longer one`(count: Int) throws {
        let longest = try derive([1], HKDF.maximumCount)
        #expect(try derive([1], count) == Array(longest.prefix(count)))
    }

    @Test(arguments: [-1, 0, HKDF.maximumCount + 1])
    func `A key of a length that does not exist is refused`(count: Int) throws {
        let error = #expect(throws: LibcryptoError.self) { try derive([1], count) }
        #expect(error?.fault == .size)
    }

    @Test func `Another context gives another key`() throws {
        #expect(try derive([1], info: [1], 32) != derive([1], info: [2], 32))
    }
}
