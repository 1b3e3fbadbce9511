// SPDX-License-Identifier: Apache-2.0

/// What a token says about itself (`CKF_*` of `CK_TOKEN_INFO`, PKCS #11 v3.1 §3.2).
package struct TokenFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// `CKF_RNG`.
    package static let randomNumberGenerator = Self(rawValue: 0x1)
    /// `CKF_WRITE_PROTECTED`.
    package static let writeProtected = Self(rawValue: 0x2)
    /// `CKF_LOGIN_REQUIRED`.
    package static let loginRequired = Self(rawValue: 0x4)
    /// `CKF_USER_PIN_INITIALIZED`.
    package static let userPINInitialized = Self(rawValue: 0x8)
    /// `CKF_PROTECTED_AUTHENTICATION_PATH`: the PIN is entered on the device.
    package static let protectedAuthenticationPath = Self(rawValue: 0x100)
    /// `CKF_TOKEN_INITIALIZED`.
    package static let tokenInitialized = Self(rawValue: 0x400)
    /// `CKF_USER_PIN_COUNT_LOW`: a wrong user PIN was entered since the last good one.
    package static let userPINCountLow = Self(rawValue: 0x10000)
    /// `CKF_USER_PIN_FINAL_TRY`.
    package static let userPINFinalTry = Self(rawValue: 0x20000)
    /// `CKF_USER_PIN_LOCKED`.
    package static let userPINLocked = Self(rawValue: 0x40000)
    /// `CKF_USER_PIN_TO_BE_CHANGED`.
    package static let userPINToBeChanged = Self(rawValue: 0x80000)
    /// `CKF_SO_PIN_COUNT_LOW`.
    package static let soPINCountLow = Self(rawValue: 0x100000)
    /// `CKF_SO_PIN_FINAL_TRY`.
    package static let soPINFinalTry = Self(rawValue: 0x200000)
    /// `CKF_SO_PIN_LOCKED`.
    package static let soPINLocked = Self(rawValue: 0x400000)
}
