// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct SecKeyAlgorithmTests {
    @Test func `An algorithm is its name`() {
        #expect(SecKeyAlgorithm(rawValue: "algid:sign:RSA:raw") == .rsaSignatureRaw)
        #expect(SecKeyAlgorithm.rsaSignatureMessagePSSSHA256.rawValue == "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
        #expect(SecKeyAlgorithm.rsaSignatureDigestPSSSHA224.rawValue == "algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
        #expect(SecKeyAlgorithm.ecdsaSignatureMessageX962SHA384.rawValue == "algid:sign:ECDSA:message-X962:SHA384")
        #expect(SecKeyAlgorithm.ecdhKeyExchangeCofactorX963SHA1.rawValue == "algid:keyexchange:ECDHC:KDFX963:SHA1")
        #expect(SecKeyAlgorithm.kemMLKEM.rawValue == "algid:kem:ML-KEM")
    }

    @Test func `An algorithm does not change with the string that named it`() {
        let name = NSMutableString(string: "algid:sign:RSA:raw")
        let algorithm = SecKeyAlgorithm(rawValue: name)
        name.append("x")
        #expect(algorithm == .rsaSignatureRaw && algorithm.hashValue == SecKeyAlgorithm.rsaSignatureRaw.hashValue)
    }

    @Test func `The variable-IV kinds name it`() {
        #expect(
            SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM.rawValue
                == "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
    }
}
