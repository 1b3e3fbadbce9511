// SPDX-License-Identifier: Apache-2.0
// A table of constants (SecKey.h): the names of key algorithms. No key exists yet that could use them.
public import Foundation

/// The name of what is done with a key.
@safe public struct SecKeyAlgorithm: RawRepresentable, Hashable, @unchecked Sendable {
    // @unchecked: the string is copied on the way in, so nobody can change it.
    /// The name's characters.
    public let rawValue: CFString

    /// The algorithm of that name, known or not.
    public init(rawValue: CFString) {
        self.rawValue = NSString(string: rawValue as String)
    }

    private init(_ name: String) {
        rawValue = NSString(string: name)
    }
}

extension SecKeyAlgorithm {
    /// The algorithm `algid:sign:RSA:raw`.
    public static let rsaSignatureRaw = Self("algid:sign:RSA:raw")
    /// The algorithm `algid:sign:RSA:digest-PKCS1v15`.
    public static let rsaSignatureDigestPKCS1v15Raw = Self("algid:sign:RSA:digest-PKCS1v15")
    /// The algorithm `algid:sign:RSA:digest-PKCS1v15:SHA1`.
    public static let rsaSignatureDigestPKCS1v15SHA1 = Self("algid:sign:RSA:digest-PKCS1v15:SHA1")
    /// The algorithm `algid:sign:RSA:digest-PKCS1v15:SHA224`.
    public static let rsaSignatureDigestPKCS1v15SHA224 = Self("algid:sign:RSA:digest-PKCS1v15:SHA224")
    /// The algorithm `algid:sign:RSA:digest-PKCS1v15:SHA256`.
    public static let rsaSignatureDigestPKCS1v15SHA256 = Self("algid:sign:RSA:digest-PKCS1v15:SHA256")
    /// The algorithm `algid:sign:RSA:digest-PKCS1v15:SHA384`.
    public static let rsaSignatureDigestPKCS1v15SHA384 = Self("algid:sign:RSA:digest-PKCS1v15:SHA384")
    /// The algorithm `algid:sign:RSA:digest-PKCS1v15:SHA512`.
    public static let rsaSignatureDigestPKCS1v15SHA512 = Self("algid:sign:RSA:digest-PKCS1v15:SHA512")
    /// The algorithm `algid:sign:RSA:message-PKCS1v15:SHA1`.
    public static let rsaSignatureMessagePKCS1v15SHA1 = Self("algid:sign:RSA:message-PKCS1v15:SHA1")
    /// The algorithm `algid:sign:RSA:message-PKCS1v15:SHA224`.
    public static let rsaSignatureMessagePKCS1v15SHA224 = Self("algid:sign:RSA:message-PKCS1v15:SHA224")
    /// The algorithm `algid:sign:RSA:message-PKCS1v15:SHA256`.
    public static let rsaSignatureMessagePKCS1v15SHA256 = Self("algid:sign:RSA:message-PKCS1v15:SHA256")
    /// The algorithm `algid:sign:RSA:message-PKCS1v15:SHA384`.
    public static let rsaSignatureMessagePKCS1v15SHA384 = Self("algid:sign:RSA:message-PKCS1v15:SHA384")
    /// The algorithm `algid:sign:RSA:message-PKCS1v15:SHA512`.
    public static let rsaSignatureMessagePKCS1v15SHA512 = Self("algid:sign:RSA:message-PKCS1v15:SHA512")
    /// The algorithm `algid:sign:RSA:digest-PSS:SHA1:SHA1:20`.
    public static let rsaSignatureDigestPSSSHA1 = Self("algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
    /// The algorithm `algid:sign:RSA:digest-PSS:SHA224:SHA224:24`.
    public static let rsaSignatureDigestPSSSHA224 = Self("algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
    /// The algorithm `algid:sign:RSA:digest-PSS:SHA256:SHA256:32`.
    public static let rsaSignatureDigestPSSSHA256 = Self("algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
    /// The algorithm `algid:sign:RSA:digest-PSS:SHA384:SHA384:48`.
    public static let rsaSignatureDigestPSSSHA384 = Self("algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
    /// The algorithm `algid:sign:RSA:digest-PSS:SHA512:SHA512:64`.
    public static let rsaSignatureDigestPSSSHA512 = Self("algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
    /// The algorithm `algid:sign:RSA:message-PSS:SHA1:SHA1:20`.
    public static let rsaSignatureMessagePSSSHA1 = Self("algid:sign:RSA:message-PSS:SHA1:SHA1:20")
    /// The algorithm `algid:sign:RSA:message-PSS:SHA224:SHA224:24`.
    public static let rsaSignatureMessagePSSSHA224 = Self("algid:sign:RSA:message-PSS:SHA224:SHA224:24")
    /// The algorithm `algid:sign:RSA:message-PSS:SHA256:SHA256:32`.
    public static let rsaSignatureMessagePSSSHA256 = Self("algid:sign:RSA:message-PSS:SHA256:SHA256:32")
    /// The algorithm `algid:sign:RSA:message-PSS:SHA384:SHA384:48`.
    public static let rsaSignatureMessagePSSSHA384 = Self("algid:sign:RSA:message-PSS:SHA384:SHA384:48")
    /// The algorithm `algid:sign:RSA:message-PSS:SHA512:SHA512:64`.
    public static let rsaSignatureMessagePSSSHA512 = Self("algid:sign:RSA:message-PSS:SHA512:SHA512:64")
    /// The algorithm `algid:sign:ECDSA:RFC4754`.
    public static let ecdsaSignatureRFC4754 = Self("algid:sign:ECDSA:RFC4754")
    /// The algorithm `algid:sign:ECDSA:digest-RFC4754`.
    public static let ecdsaSignatureDigestRFC4754 = Self("algid:sign:ECDSA:digest-RFC4754")
    /// The algorithm `algid:sign:ECDSA:digest-RFC4754:SHA1`.
    public static let ecdsaSignatureDigestRFC4754SHA1 = Self("algid:sign:ECDSA:digest-RFC4754:SHA1")
    /// The algorithm `algid:sign:ECDSA:digest-RFC4754:SHA224`.
    public static let ecdsaSignatureDigestRFC4754SHA224 = Self("algid:sign:ECDSA:digest-RFC4754:SHA224")
    /// The algorithm `algid:sign:ECDSA:digest-RFC4754:SHA256`.
    public static let ecdsaSignatureDigestRFC4754SHA256 = Self("algid:sign:ECDSA:digest-RFC4754:SHA256")
    /// The algorithm `algid:sign:ECDSA:digest-RFC4754:SHA384`.
    public static let ecdsaSignatureDigestRFC4754SHA384 = Self("algid:sign:ECDSA:digest-RFC4754:SHA384")
    /// The algorithm `algid:sign:ECDSA:digest-RFC4754:SHA512`.
    public static let ecdsaSignatureDigestRFC4754SHA512 = Self("algid:sign:ECDSA:digest-RFC4754:SHA512")
    /// The algorithm `algid:sign:ECDSA:message-RFC4754:SHA1`.
    public static let ecdsaSignatureMessageRFC4754SHA1 = Self("algid:sign:ECDSA:message-RFC4754:SHA1")
    /// The algorithm `algid:sign:ECDSA:message-RFC4754:SHA224`.
    public static let ecdsaSignatureMessageRFC4754SHA224 = Self("algid:sign:ECDSA:message-RFC4754:SHA224")
    /// The algorithm `algid:sign:ECDSA:message-RFC4754:SHA256`.
    public static let ecdsaSignatureMessageRFC4754SHA256 = Self("algid:sign:ECDSA:message-RFC4754:SHA256")
    /// The algorithm `algid:sign:ECDSA:message-RFC4754:SHA384`.
    public static let ecdsaSignatureMessageRFC4754SHA384 = Self("algid:sign:ECDSA:message-RFC4754:SHA384")
    /// The algorithm `algid:sign:ECDSA:message-RFC4754:SHA512`.
    public static let ecdsaSignatureMessageRFC4754SHA512 = Self("algid:sign:ECDSA:message-RFC4754:SHA512")
    /// The algorithm `algid:sign:ECDSA:digest-X962`.
    public static let ecdsaSignatureDigestX962 = Self("algid:sign:ECDSA:digest-X962")
    /// The algorithm `algid:sign:ECDSA:digest-X962:SHA1`.
    public static let ecdsaSignatureDigestX962SHA1 = Self("algid:sign:ECDSA:digest-X962:SHA1")
    /// The algorithm `algid:sign:ECDSA:digest-X962:SHA224`.
    public static let ecdsaSignatureDigestX962SHA224 = Self("algid:sign:ECDSA:digest-X962:SHA224")
    /// The algorithm `algid:sign:ECDSA:digest-X962:SHA256`.
    public static let ecdsaSignatureDigestX962SHA256 = Self("algid:sign:ECDSA:digest-X962:SHA256")
    /// The algorithm `algid:sign:ECDSA:digest-X962:SHA384`.
    public static let ecdsaSignatureDigestX962SHA384 = Self("algid:sign:ECDSA:digest-X962:SHA384")
    /// The algorithm `algid:sign:ECDSA:digest-X962:SHA512`.
    public static let ecdsaSignatureDigestX962SHA512 = Self("algid:sign:ECDSA:digest-X962:SHA512")
    /// The algorithm `algid:sign:ECDSA:message-X962:SHA1`.
    public static let ecdsaSignatureMessageX962SHA1 = Self("algid:sign:ECDSA:message-X962:SHA1")
    /// The algorithm `algid:sign:ECDSA:message-X962:SHA224`.
    public static let ecdsaSignatureMessageX962SHA224 = Self("algid:sign:ECDSA:message-X962:SHA224")
    /// The algorithm `algid:sign:ECDSA:message-X962:SHA256`.
    public static let ecdsaSignatureMessageX962SHA256 = Self("algid:sign:ECDSA:message-X962:SHA256")
    /// The algorithm `algid:sign:ECDSA:message-X962:SHA384`.
    public static let ecdsaSignatureMessageX962SHA384 = Self("algid:sign:ECDSA:message-X962:SHA384")
    /// The algorithm `algid:sign:ECDSA:message-X962:SHA512`.
    public static let ecdsaSignatureMessageX962SHA512 = Self("algid:sign:ECDSA:message-X962:SHA512")
    /// The algorithm `algid:sign:EdDSA:message-Curve25519:SHA512`.
    public static let edDSASignatureMessageCurve25519SHA512 = Self("algid:sign:EdDSA:message-Curve25519:SHA512")
    /// The algorithm `algid:sign:EdDSA:message-Curve448:SHAKE256`.
    public static let edDSASignatureMessageCurve448SHAKE256 = Self("algid:sign:EdDSA:message-Curve448:SHAKE256")
    /// The algorithm `algid:sign:ML-DSA:message`.
    public static let mldsaSignatureMessage = Self("algid:sign:ML-DSA:message")
    /// The algorithm `algid:encrypt:RSA:raw`.
    public static let rsaEncryptionRaw = Self("algid:encrypt:RSA:raw")
    /// The algorithm `algid:encrypt:RSA:PKCS1`.
    public static let rsaEncryptionPKCS1 = Self("algid:encrypt:RSA:PKCS1")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA1`.
    public static let rsaEncryptionOAEPSHA1 = Self("algid:encrypt:RSA:OAEP:SHA1")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA224`.
    public static let rsaEncryptionOAEPSHA224 = Self("algid:encrypt:RSA:OAEP:SHA224")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA256`.
    public static let rsaEncryptionOAEPSHA256 = Self("algid:encrypt:RSA:OAEP:SHA256")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA384`.
    public static let rsaEncryptionOAEPSHA384 = Self("algid:encrypt:RSA:OAEP:SHA384")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA512`.
    public static let rsaEncryptionOAEPSHA512 = Self("algid:encrypt:RSA:OAEP:SHA512")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA1:AESGCM`.
    public static let rsaEncryptionOAEPSHA1AESGCM = Self("algid:encrypt:RSA:OAEP:SHA1:AESGCM")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA224:AESGCM`.
    public static let rsaEncryptionOAEPSHA224AESGCM = Self("algid:encrypt:RSA:OAEP:SHA224:AESGCM")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA256:AESGCM`.
    public static let rsaEncryptionOAEPSHA256AESGCM = Self("algid:encrypt:RSA:OAEP:SHA256:AESGCM")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA384:AESGCM`.
    public static let rsaEncryptionOAEPSHA384AESGCM = Self("algid:encrypt:RSA:OAEP:SHA384:AESGCM")
    /// The algorithm `algid:encrypt:RSA:OAEP:SHA512:AESGCM`.
    public static let rsaEncryptionOAEPSHA512AESGCM = Self("algid:encrypt:RSA:OAEP:SHA512:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM`.
    public static let eciesEncryptionStandardX963SHA1AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM`.
    public static let eciesEncryptionStandardX963SHA224AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM`.
    public static let eciesEncryptionStandardX963SHA256AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM`.
    public static let eciesEncryptionStandardX963SHA384AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM`.
    public static let eciesEncryptionStandardX963SHA512AESGCM = Self("algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV`.
    public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV`.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV`.
    public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
    /// The algorithm `algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV`.
    public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = Self(
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM`.
    public static let eciesEncryptionCofactorX963SHA1AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM`.
    public static let eciesEncryptionCofactorX963SHA224AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM`.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM`.
    public static let eciesEncryptionCofactorX963SHA384AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM`.
    public static let eciesEncryptionCofactorX963SHA512AESGCM = Self("algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV`.
    public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV`.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV`.
    public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
    /// The algorithm `algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV`.
    public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = Self(
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
    /// The algorithm `algid:keyexchange:ECDH`.
    public static let ecdhKeyExchangeStandard = Self("algid:keyexchange:ECDH")
    /// The algorithm `algid:keyexchange:ECDH:KDFX963:SHA1`.
    public static let ecdhKeyExchangeStandardX963SHA1 = Self("algid:keyexchange:ECDH:KDFX963:SHA1")
    /// The algorithm `algid:keyexchange:ECDH:KDFX963:SHA224`.
    public static let ecdhKeyExchangeStandardX963SHA224 = Self("algid:keyexchange:ECDH:KDFX963:SHA224")
    /// The algorithm `algid:keyexchange:ECDH:KDFX963:SHA256`.
    public static let ecdhKeyExchangeStandardX963SHA256 = Self("algid:keyexchange:ECDH:KDFX963:SHA256")
    /// The algorithm `algid:keyexchange:ECDH:KDFX963:SHA384`.
    public static let ecdhKeyExchangeStandardX963SHA384 = Self("algid:keyexchange:ECDH:KDFX963:SHA384")
    /// The algorithm `algid:keyexchange:ECDH:KDFX963:SHA512`.
    public static let ecdhKeyExchangeStandardX963SHA512 = Self("algid:keyexchange:ECDH:KDFX963:SHA512")
    /// The algorithm `algid:keyexchange:ECDHC`.
    public static let ecdhKeyExchangeCofactor = Self("algid:keyexchange:ECDHC")
    /// The algorithm `algid:keyexchange:ECDHC:KDFX963:SHA1`.
    public static let ecdhKeyExchangeCofactorX963SHA1 = Self("algid:keyexchange:ECDHC:KDFX963:SHA1")
    /// The algorithm `algid:keyexchange:ECDHC:KDFX963:SHA224`.
    public static let ecdhKeyExchangeCofactorX963SHA224 = Self("algid:keyexchange:ECDHC:KDFX963:SHA224")
    /// The algorithm `algid:keyexchange:ECDHC:KDFX963:SHA256`.
    public static let ecdhKeyExchangeCofactorX963SHA256 = Self("algid:keyexchange:ECDHC:KDFX963:SHA256")
    /// The algorithm `algid:keyexchange:ECDHC:KDFX963:SHA384`.
    public static let ecdhKeyExchangeCofactorX963SHA384 = Self("algid:keyexchange:ECDHC:KDFX963:SHA384")
    /// The algorithm `algid:keyexchange:ECDHC:KDFX963:SHA512`.
    public static let ecdhKeyExchangeCofactorX963SHA512 = Self("algid:keyexchange:ECDHC:KDFX963:SHA512")
    /// The algorithm `algid:kem:kyber`.
    public static let kemKyber = Self("algid:kem:kyber")
    /// The algorithm `algid:kem:ML-KEM`.
    public static let kemMLKEM = Self("algid:kem:ML-KEM")
}
