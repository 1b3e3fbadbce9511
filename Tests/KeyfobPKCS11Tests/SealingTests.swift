// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite struct SealingTests {
    @Test func `A value sealed on the token opens to what it was`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesSessionKey)
        let iv = [UInt8](repeating: 7, count: 12)
        let aad: [UInt8] = [9]
        let sealed = try session.seal([1, 2, 3], key: key, iv: iv, aad: aad)
        #expect(sealed.count == 19)
        let opened = unsafe try session.openGCM(
            key: key, iv: iv.span.bytes, aad: aad.span.bytes, ciphertext: sealed.span.bytes)
        #expect(opened.withBytes { $0.array } == [1, 2, 3])
    }
}
