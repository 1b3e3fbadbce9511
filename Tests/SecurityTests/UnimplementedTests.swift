// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

@testable internal import Security

/// Keys, certificates, identities and trust say that they are not implemented, do nothing, and never say yes.
@Suite struct UnimplementedTests {
    private let key = SecKey()
    private let certificate = SecCertificate()
    private let trust = SecTrust()

    /// The status in an error that a call gave away.
    private func code(_ error: Unmanaged<CFError>?) -> OSStatus? {
        unsafe (error?.takeRetainedValue().code).map { OSStatus($0) }
    }

    @Test func `Making a key fails with errSecUnimplemented`() {
        var error: Unmanaged<CFError>?
        let random = unsafe SecKeyCreateRandomKey([kSecAttrKeyType: kSecAttrKeyTypeEC] as CFDictionary, &error)
        #expect(unsafe random == nil && code(error) == errSecUnimplemented)
        let given = unsafe SecKeyCreateWithData(NSData(), [:] as CFDictionary, &error)
        #expect(unsafe given == nil && code(error) == errSecUnimplemented)
    }

    @Test func `Making a pair of keys fails with errSecUnimplemented and makes none`() {
        var pair: (SecKey?, SecKey?)
        let status = unsafe SecKeyGeneratePair([:] as CFDictionary, &pair.0, &pair.1)
        #expect(status == errSecUnimplemented && pair.0 == nil && pair.1 == nil)
    }

    @Test func `A key shows nothing of itself`() {
        var error: Unmanaged<CFError>?
        #expect(unsafe SecKeyCopyExternalRepresentation(key, &error) == nil && code(error) == errSecUnimplemented)
        #expect(SecKeyCopyAttributes(key) == nil && SecKeyCopyPublicKey(key) == nil && SecKeyGetBlockSize(key) == 0)
    }

    @Test func `A key is good for no algorithm`() {
        for operation in [SecKeyOperationType.sign, .verify, .encrypt, .decrypt, .keyExchange] {
            #expect(!SecKeyIsAlgorithmSupported(key, operation, .rsaSignatureRaw))
        }
    }

    @Test func `No signature is made, and none is good`() {
        var error: Unmanaged<CFError>?
        #expect(unsafe SecKeyCreateSignature(key, .rsaSignatureRaw, NSData(), &error) == nil)
        #expect(unsafe code(error) == errSecUnimplemented)
        #expect(unsafe !SecKeyVerifySignature(key, .rsaSignatureRaw, NSData(), NSData(), &error))
        #expect(unsafe code(error) == errSecUnimplemented)
    }

    @Test func `Nothing is encrypted, decrypted or agreed on`() {
        var error: Unmanaged<CFError>?
        #expect(unsafe SecKeyCreateEncryptedData(key, .rsaEncryptionPKCS1, NSData(), &error) == nil)
        #expect(unsafe code(error) == errSecUnimplemented)
        #expect(unsafe SecKeyCreateDecryptedData(key, .rsaEncryptionPKCS1, NSData(), &error) == nil)
        #expect(unsafe code(error) == errSecUnimplemented)
        let parameters = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32] as CFDictionary
        #expect(unsafe SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, key, parameters, &error) == nil)
        #expect(unsafe code(error) == errSecUnimplemented)
    }

    @Test func `The calls with buffers fail with errSecUnimplemented and write nothing`() {
        let given: [UInt8] = [1, 2, 3]
        var buffer: [UInt8] = [9, 9]
        var count = 2
        #expect(unsafe SecKeyRawSign(key, .PKCS1SHA256, given, 3, &buffer, &count) == errSecUnimplemented)
        #expect(unsafe SecKeyEncrypt(key, .OAEP, given, 3, &buffer, &count) == errSecUnimplemented)
        #expect(unsafe SecKeyDecrypt(key, [], given, 3, &buffer, &count) == errSecUnimplemented)
        #expect(buffer == [9, 9] && count == 2)
        #expect(unsafe SecKeyRawVerify(key, .PKCS1, given, 3, given, 3) == errSecUnimplemented)
    }

    @Test func `Making a certificate gives none`() {
        #expect(SecCertificateCreateWithData(nil, NSData(data: Data([0x30]))) == nil)
    }

    @Test func `A certificate says nothing`() {
        var error: Unmanaged<CFError>?
        var name: CFString?
        var addresses: CFArray?
        #expect(unsafe SecCertificateCopyCommonName(certificate, &name) == errSecUnimplemented && name == nil)
        #expect(unsafe SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecUnimplemented)
        #expect(unsafe SecCertificateCopySerialNumberData(certificate, &error) == nil)
        #expect(unsafe code(error) == errSecUnimplemented)
        #expect(SecCertificateCopyKey(certificate) == nil && SecCertificateCopyPublicKey(certificate) == nil)
        #expect(SecCertificateCopySubjectSummary(certificate) == nil && addresses == nil)
        #expect(SecCertificateCopyNormalizedIssuerSequence(certificate) == nil)
        #expect(SecCertificateCopyNormalizedSubjectSequence(certificate) == nil)
        #expect(SecCertificateCopyNotValidBeforeDate(certificate) == nil)
        #expect(SecCertificateCopyNotValidAfterDate(certificate) == nil)
    }

    @Test func `Importing an identity fails with errSecUnimplemented`() {
        var items: CFArray?
        let options = [kSecImportExportPassphrase: "p"] as CFDictionary
        let status = unsafe SecPKCS12Import(NSData(), options, &items)
        #expect(status == errSecUnimplemented && items == nil)
    }

    @Test func `Making an identity gives none, and one gives nothing`() {
        var identity: SecIdentity?
        var certificate: SecCertificate?
        var key: SecKey?
        #expect(SecIdentityCreate(nil, self.certificate, self.key) == nil)
        #expect(
            unsafe SecIdentityCreateWithCertificate(nil, self.certificate, &identity) == errSecUnimplemented
                && identity == nil)
        #expect(unsafe SecIdentityCopyCertificate(SecIdentity(), &certificate) == errSecUnimplemented)
        #expect(unsafe SecIdentityCopyPrivateKey(SecIdentity(), &key) == errSecUnimplemented)
        #expect(certificate == nil && key == nil)
    }

    @Test func `Making a trust object fails with errSecUnimplemented and makes none`() {
        var trust: SecTrust?
        let status = unsafe SecTrustCreateWithCertificates(certificate, SecPolicyCreateBasicX509(), &trust)
        #expect(status == errSecUnimplemented && trust == nil)
    }

    @Test func `No chain is ever trusted`() {
        var error: CFError?
        let isTrusted = unsafe SecTrustEvaluateWithError(trust, &error)
        #expect(!isTrusted && error?.code == Int(errSecUnimplemented))
        let isTrustedInSilence = SecTrustEvaluateWithError(trust, nil)
        #expect(!isTrustedInSilence)
        var result = SecTrustResultType.proceed
        #expect(unsafe SecTrustEvaluate(trust, &result) == errSecUnimplemented && result == .invalid)
        result = .unspecified
        #expect(unsafe SecTrustGetTrustResult(trust, &result) == errSecUnimplemented && result == .invalid)
        #expect(!SecTrustSetExceptions(trust, NSData()))
    }

    @Test func `What is told to a trust object is refused`() {
        var policies: CFArray?
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) == errSecUnimplemented)
        #expect(unsafe SecTrustCopyPolicies(trust, &policies) == errSecUnimplemented && policies == nil)
        #expect(SecTrustSetAnchorCertificates(trust, [certificate] as CFArray) == errSecUnimplemented)
        #expect(SecTrustSetAnchorCertificatesOnly(trust, true) == errSecUnimplemented)
        #expect(SecTrustSetVerifyDate(trust, NSDate()) == errSecUnimplemented)
        #expect(SecTrustSetNetworkFetchAllowed(trust, false) == errSecUnimplemented)
        #expect(SecTrustSetOCSPResponse(trust, nil) == errSecUnimplemented)
    }

    @Test func `A trust object shows nothing`() {
        #expect(SecTrustGetCertificateCount(trust) == 0 && SecTrustGetCertificateAtIndex(trust, 0) == nil)
        #expect(SecTrustCopyCertificateChain(trust) == nil && SecTrustCopyExceptions(trust) == nil)
        #expect(SecTrustCopyKey(trust) == nil && SecTrustCopyPublicKey(trust) == nil)
        #expect(SecTrustCopyResult(trust) == nil)
    }

    @Test func `References are equal to themselves only and have types of their own`() {
        #expect(key == key && key != SecKey() && certificate != SecCertificate() && trust != SecTrust())
        let types = [
            CFGetTypeID(key), CFGetTypeID(certificate), CFGetTypeID(SecIdentity()), CFGetTypeID(trust),
            CFGetTypeID(SecPolicyCreateBasicX509()),
        ]
        let named = [
            SecKeyGetTypeID(), SecCertificateGetTypeID(), SecIdentityGetTypeID(), SecTrustGetTypeID(),
            SecPolicyGetTypeID(),
        ]
        #expect(types == named && Set(types).count == 5)
    }
}
