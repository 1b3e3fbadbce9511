// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import Testing

/// That a token opens what is sealed here, the tests of the presence key show.
@Suite struct RSAPublicKeyTests {
    private static let key = RSAPublicKey(modulus: repeated(0xC5, 256), exponent: [1, 0, 1])

    @Test(arguments: [RSAPublicKey.OAEPHash.sha1, .sha256])
    func `Sealing is as long as the modulus and never the same`(hash: RSAPublicKey.OAEPHash) throws {
        let secret = try SecretBytes(copying: repeated(7, 32))
        let first = try Self.key.seal(secret, hash)
        #expect(first.count == 256)
        #expect(try Self.key.seal(secret, hash) != first)
    }

    @Test func `A secret that is too long for the key is refused`() throws {
        let secret = try SecretBytes(count: 256)
        #expect(throws: LibcryptoError.self) { _ = try Self.key.seal(secret, .sha1) }
    }

    @Test func `Numbers that are no key are refused`() throws {
        let secret = try SecretBytes(count: 32)
        #expect(throws: LibcryptoError.self) {
            _ = try RSAPublicKey(modulus: [], exponent: [1, 0, 1]).seal(secret, .sha1)
        }
    }
}
