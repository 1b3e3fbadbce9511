// SPDX-License-Identifier: Apache-2.0

/// The type of an attribute (`CKA_*`, PKCS #11 v3.1 §4).
package struct AttributeType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// `CKA_CLASS`.
    package static let `class` = Self(rawValue: 0x0)
    /// `CKA_TOKEN`.
    package static let token = Self(rawValue: 0x1)
    /// `CKA_PRIVATE`.
    package static let `private` = Self(rawValue: 0x2)
    /// `CKA_LABEL`.
    package static let label = Self(rawValue: 0x3)
    /// `CKA_APPLICATION`.
    package static let application = Self(rawValue: 0x10)
    /// `CKA_VALUE`.
    package static let value = Self(rawValue: 0x11)
    /// `CKA_KEY_TYPE`.
    package static let keyType = Self(rawValue: 0x100)
    /// `CKA_ID`.
    package static let id = Self(rawValue: 0x102)
    /// `CKA_SENSITIVE`.
    package static let sensitive = Self(rawValue: 0x103)
    /// `CKA_ENCRYPT`.
    package static let encrypt = Self(rawValue: 0x104)
    /// `CKA_DECRYPT`.
    package static let decrypt = Self(rawValue: 0x105)
    /// `CKA_WRAP`.
    package static let wrap = Self(rawValue: 0x106)
    /// `CKA_UNWRAP`.
    package static let unwrap = Self(rawValue: 0x107)
    /// `CKA_SIGN`.
    package static let sign = Self(rawValue: 0x108)
    /// `CKA_SIGN_RECOVER`.
    package static let signRecover = Self(rawValue: 0x109)
    /// `CKA_VERIFY`.
    package static let verify = Self(rawValue: 0x10A)
    /// `CKA_DERIVE`.
    package static let derive = Self(rawValue: 0x10C)
    /// `CKA_MODULUS`.
    package static let modulus = Self(rawValue: 0x120)
    /// `CKA_MODULUS_BITS`.
    package static let modulusBits = Self(rawValue: 0x121)
    /// `CKA_PUBLIC_EXPONENT`.
    package static let publicExponent = Self(rawValue: 0x122)
    /// `CKA_VALUE_LEN`.
    package static let valueLength = Self(rawValue: 0x161)
    /// `CKA_EXTRACTABLE`.
    package static let extractable = Self(rawValue: 0x162)
    /// `CKA_LOCAL`.
    package static let local = Self(rawValue: 0x163)
    /// `CKA_NEVER_EXTRACTABLE`.
    package static let neverExtractable = Self(rawValue: 0x164)
    /// `CKA_ALWAYS_SENSITIVE`.
    package static let alwaysSensitive = Self(rawValue: 0x165)
    /// `CKA_MODIFIABLE`.
    package static let modifiable = Self(rawValue: 0x170)
    /// `CKA_COPYABLE`.
    package static let copyable = Self(rawValue: 0x171)
    /// `CKA_DESTROYABLE`.
    package static let destroyable = Self(rawValue: 0x172)
    /// `CKA_EC_PARAMS`.
    package static let ecParameters = Self(rawValue: 0x180)
    /// `CKA_EC_POINT`.
    package static let ecPoint = Self(rawValue: 0x181)
    /// `CKA_ALWAYS_AUTHENTICATE`.
    package static let alwaysAuthenticate = Self(rawValue: 0x202)
    /// `CKA_WRAP_WITH_TRUSTED`.
    package static let wrapWithTrusted = Self(rawValue: 0x210)
    /// `CKA_UNWRAP_TEMPLATE`: what every key unwrapped by a key must have.
    package static let unwrapTemplate = Self(rawValue: 0x4000_0212)
    /// `CKA_TRUSTED`.
    package static let trusted = Self(rawValue: 0x86)
}
