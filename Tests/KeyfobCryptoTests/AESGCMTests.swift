// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import Testing

struct AESGCMTests {
    private let key = repeated(0x11, 32)
    private let nonce = repeated(0x22, 12)
    private let aad = Array("bound to this row".utf8)
    private let plaintext = Array("a value of three and a half blocks, no more than that..".utf8)

    private func sealed() throws -> [UInt8] { try seal(plaintext, key: key, nonce: nonce, aad: aad) }

    private func failure(_ body: () throws -> Void) -> LibcryptoError? {
        #expect(throws: LibcryptoError.self, performing: body)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4096, 100_000])
    func `What was sealed opens to the same bytes`(count: Int) throws {
        let plaintext = try RandomBytes.bytes(count)
        let sealed = try seal(plaintext, key: key, nonce: nonce, aad: aad)
        #expect(sealed.count == count + AESGCM.tagSize)
        #expect(try open(sealed, key: key, nonce: nonce, aad: aad) == plaintext)
    }

    @Test func `A flipped bit anywhere in ciphertext or tag does not open`() throws {
        let sealed = try sealed()
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1 << (index % 8)
            #expect(
                failure { _ = try open(changed, key: key, nonce: nonce, aad: aad) }?.isAuthenticationFailure == true)
        }
    }

    @Test(arguments: 0..<12)
    func `A flipped bit in the nonce does not open`(index: Int) throws {
        let sealed = try sealed()
        var changed = nonce
        changed[index] ^= 0x80
        #expect(failure { _ = try open(sealed, key: key, nonce: changed, aad: aad) }?.isAuthenticationFailure == true)
    }

    @Test func `A flipped bit anywhere in the associated data does not open`() throws {
        let sealed = try sealed()
        for index in aad.indices {
            var changed = aad
            changed[index] ^= 0x01
            #expect(
                failure { _ = try open(sealed, key: key, nonce: nonce, aad: changed) }?.isAuthenticationFailure == true)
        }
    }

    @Test func `Associated data that is longer, shorter or missing does not open`() throws {
        let sealed = try sealed()
        for changed in [aad + [0], Array(aad.dropLast()), []] {
            #expect(
                failure { _ = try open(sealed, key: key, nonce: nonce, aad: changed) }?.isAuthenticationFailure == true)
        }
    }

    @Test func `A flipped bit in the key does not open`() throws {
        let sealed = try sealed()
        for index in [0, 15, 16, 31] {
            var changed = key
            changed[index] ^= 0x10
            #expect(
                failure { _ = try open(sealed, key: changed, nonce: nonce, aad: aad) }?.isAuthenticationFailure == true)
        }
    }

    @Test func `Bytes that were cut off or added do not open`() throws {
        let sealed = try sealed()
        for changed in [Array(sealed.dropLast()), Array(sealed.dropFirst()), sealed + [0], [0] + sealed] {
            #expect(
                failure { _ = try open(changed, key: key, nonce: nonce, aad: aad) }?.isAuthenticationFailure == true)
        }
    }

    @Test(arguments: [0, 1, 15])
    func `Fewer bytes than a tag are refused as not authentic`(count: Int) throws {
        let error = failure { _ = try open(repeated(0, count), key: key, nonce: nonce) }
        #expect(error?.isAuthenticationFailure == true)
    }

    @Test(arguments: [0, 16, 31, 33])
    func `A key of another size is refused`(count: Int) throws {
        let error = failure { _ = try seal(plaintext, key: repeated(1, count), nonce: nonce) }
        #expect(error?.fault == .size)
    }

    @Test(arguments: [0, 11, 13, 16])
    func `A nonce of another size is refused in both directions`(count: Int) throws {
        let sealed = try sealed()
        let nonce = repeated(2, count)
        #expect(failure { _ = try seal(plaintext, key: key, nonce: nonce) }?.fault == .size)
        #expect(failure { _ = try open(sealed, key: key, nonce: nonce) }?.fault == .size)
    }

    @Test func `A buffer of another size is refused`() throws {
        let key = try SecretBytes(copying: key)
        var small = repeated(0, plaintext.count + 15)
        let error = failure {
            unsafe try small.withUnsafeMutableBytes { output in
                unsafe try AESGCM.seal(
                    plaintext.span.bytes, key: key, nonce: nonce.span.bytes, aad: aad.span.bytes, into: output)
            }
        }
        #expect(error?.fault == .size)
    }

    @Test func `A failed opening leaves zeros in the buffer`() throws {
        let key = try SecretBytes(copying: key)
        var changed = try sealed()
        changed[changed.count - 1] ^= 1
        var output = repeated(0xEE, plaintext.count)
        let error = failure {
            unsafe try output.withUnsafeMutableBytes { output in
                unsafe try AESGCM.open(
                    changed.span.bytes, key: key, nonce: nonce.span.bytes, aad: aad.span.bytes, into: output)
            }
        }
        #expect(error?.isAuthenticationFailure == true)
        #expect(output == repeated(0, plaintext.count))
    }

    @Test func `Opening into a part of a larger buffer leaves the rest alone`() throws {
        let key = try SecretBytes(copying: key)
        let sealed = try sealed()
        var output = repeated(0xEE, plaintext.count + 10)
        unsafe try output.withUnsafeMutableBytes { output in
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: output[5..<5 + plaintext.count])
            unsafe try AESGCM.open(
                sealed.span.bytes, key: key, nonce: nonce.span.bytes, aad: aad.span.bytes, into: part)
        }
        #expect(output == repeated(0xEE, 5) + plaintext + repeated(0xEE, 5))
    }
}
