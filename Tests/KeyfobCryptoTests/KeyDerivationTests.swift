// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import Testing

@Suite struct KeyDerivationTests {
    @Test func `HKDF without a salt makes what RFC 5869 says`() throws {
        let derived = try KeyDerivation.hkdf(SecretBytes(copying: repeated(0x0b, 22)), info: [], count: 42)
        #expect(
            derived.exposed
                == hex(
                    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test func `Another info makes another key`() throws {
        let secret = try SecretBytes(copying: repeated(7, 32))
        let first = try KeyDerivation.hkdf(secret, info: [1], count: 32).exposed
        #expect(try KeyDerivation.hkdf(secret, info: [1], count: 32).exposed == first)
        #expect(try KeyDerivation.hkdf(secret, info: [2], count: 32).exposed != first)
    }

    @Test func `Scrypt makes what RFC 7914 says`() throws {
        let derived = try KeyDerivation.scrypt(
            SecretBytes(copying: Array("pleaseletmein".utf8)), salt: Array("SodiumChloride".utf8),
            KeyDerivation.Scrypt(logarithm: 14, blockSize: 8, parallelism: 1), count: 64)
        #expect(
            derived.exposed
                == hex(
                    "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                        + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"))
    }

    @Test func `The current cost is computed`() throws {
        let password = try SecretBytes(copying: Array("open sesame".utf8))
        let derived = try KeyDerivation.scrypt(password, salt: repeated(1, 16), .current, count: 32)
        #expect(derived.count == 32)
    }

    @Test(arguments: [
        KeyDerivation.Scrypt(logarithm: 18, blockSize: 8, parallelism: 1),
        KeyDerivation.Scrypt(logarithm: 9, blockSize: 8, parallelism: 1),
        KeyDerivation.Scrypt(logarithm: 15, blockSize: 9, parallelism: 1),
        KeyDerivation.Scrypt(logarithm: 15, blockSize: 8, parallelism: 5),
        KeyDerivation.Scrypt(logarithm: 255, blockSize: 0, parallelism: 0),
    ])
    func `A cost beyond the bounds is refused`(cost: KeyDerivation.Scrypt) throws {
        #expect(!cost.isAcceptable)
        let password = try SecretBytes(copying: [1])
        let error = #expect(throws: LibcryptoError.self) {
            _ = try KeyDerivation.scrypt(password, salt: [], cost, count: 32)
        }
        #expect(error?.fault == .size)
    }
}
