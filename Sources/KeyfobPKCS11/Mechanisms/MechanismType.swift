// SPDX-License-Identifier: Apache-2.0

/// The type of a mechanism (`CKM_*`, PKCS #11 v3.1 §6).
package struct MechanismType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// `CKM_RSA_PKCS_KEY_PAIR_GEN`.
    package static let rsaPKCSKeyPairGeneration = Self(rawValue: 0x0)
    /// `CKM_RSA_PKCS`.
    package static let rsaPKCS = Self(rawValue: 0x1)
    /// `CKM_RSA_PKCS_OAEP`.
    package static let rsaOAEP = Self(rawValue: 0x9)
    /// `CKM_SHA_1`.
    package static let sha1 = Self(rawValue: 0x220)
    /// `CKM_SHA256`.
    package static let sha256 = Self(rawValue: 0x250)
    /// `CKM_SHA256_HMAC`.
    package static let sha256HMAC = Self(rawValue: 0x251)
    /// `CKM_GENERIC_SECRET_KEY_GEN`.
    package static let genericSecretKeyGeneration = Self(rawValue: 0x350)
    /// `CKM_EC_KEY_PAIR_GEN`.
    package static let ecKeyPairGeneration = Self(rawValue: 0x1040)
    /// `CKM_ECDH1_DERIVE`.
    package static let ecdh1Derive = Self(rawValue: 0x1050)
    /// `CKM_AES_KEY_GEN`.
    package static let aesKeyGeneration = Self(rawValue: 0x1080)
    /// `CKM_AES_CBC`.
    package static let aesCBC = Self(rawValue: 0x1082)
    /// `CKM_AES_CBC_PAD`.
    package static let aesCBCPad = Self(rawValue: 0x1085)
    /// `CKM_AES_GCM`.
    package static let aesGCM = Self(rawValue: 0x1087)
    /// `CKM_AES_KEY_WRAP`.
    package static let aesKeyWrap = Self(rawValue: 0x2109)
    /// `CKM_AES_KEY_WRAP_PAD`.
    package static let aesKeyWrapPad = Self(rawValue: 0x210A)
    /// `CKM_AES_KEY_WRAP_KWP` (RFC 5649, PKCS #11 v3.0).
    package static let aesKeyWrapKWP = Self(rawValue: 0x210B)
}
