// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import Testing

/// The 256-bit cases with a 96-bit nonce of McGrew and Viega's specification of GCM, appendix B, which SP 800-38D names.
private struct GCMVector: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key: [UInt8]
    let nonce: [UInt8]
    var aad: [UInt8] = []
    let plaintext: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]

    static let zeros = repeated(0, 32)
    static let feff = hex("feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308")
    static let cafe = hex("cafebabefacedbaddecaf888")
    static let text = hex(
        """
        d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b391aafd255
        """)
    static let sealed = hex(
        """
        522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662898015ad
        """)

    static let all = [
        GCMVector(
            testDescription: "case 13, empty", key: zeros, nonce: repeated(0, 12), plaintext: [], ciphertext: [],
            tag: hex("530f8afbc74536b9a963b4f1c4cb738b")),
        GCMVector(
            testDescription: "case 14, one block", key: zeros, nonce: repeated(0, 12), plaintext: repeated(0, 16),
            ciphertext: hex("cea7403d4d606b6e074ec5d3baf39d18"), tag: hex("d0d1c8a799996bf0265b98b5d48ab919")),
        GCMVector(
            testDescription: "case 15, four blocks", key: feff, nonce: cafe, plaintext: text, ciphertext: sealed,
            tag: hex("b094dac5d93471bdec1a502270e3cc6c")),
        GCMVector(
            testDescription: "case 16, associated data", key: feff, nonce: cafe,
            aad: hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"), plaintext: Array(text.prefix(60)),
            ciphertext: Array(sealed.prefix(60)), tag: hex("76fc6ece0f4e1768cddf8853bb2d551b")),
    ]
}

struct AESGCMVectorTests {
    @Test(arguments: GCMVector.all)
    private func `Sealing gives the published ciphertext and tag`(vector: GCMVector) throws {
        let sealed = try seal(vector.plaintext, key: vector.key, nonce: vector.nonce, aad: vector.aad)
        #expect(sealed == vector.ciphertext + vector.tag)
    }

    @Test(arguments: GCMVector.all)
    private func `Opening gives the published plaintext`(vector: GCMVector) throws {
        let opened = try open(
            vector.ciphertext + vector.tag, key: vector.key, nonce: vector.nonce, aad: vector.aad)
        #expect(opened == vector.plaintext)
    }
}
