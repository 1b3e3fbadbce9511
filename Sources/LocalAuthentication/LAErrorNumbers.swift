// SPDX-License-Identifier: Apache-2.0

// The numbers of the codes, by the names of LAPublicDefines.h.

/// `LAError.authenticationFailed`.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// `LAError.userCancel`.
public let kLAErrorUserCancel: Int32 = -2
/// `LAError.userFallback`.
public let kLAErrorUserFallback: Int32 = -3
/// `LAError.systemCancel`.
public let kLAErrorSystemCancel: Int32 = -4
/// `LAError.passcodeNotSet`.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// `LAError.touchIDNotAvailable`.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// `LAError.biometryNotAvailable`.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// `LAError.touchIDNotEnrolled`.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// `LAError.biometryNotEnrolled`.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// `LAError.touchIDLockout`.
public let kLAErrorTouchIDLockout: Int32 = -8
/// `LAError.biometryLockout`.
public let kLAErrorBiometryLockout: Int32 = -8
/// `LAError.appCancel`.
public let kLAErrorAppCancel: Int32 = -9
/// `LAError.invalidContext`.
public let kLAErrorInvalidContext: Int32 = -10
/// `LAError.watchNotAvailable`.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// `LAError.biometryNotPaired`.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// `LAError.biometryDisconnected`.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// `LAError.invalidDimensions`.
public let kLAErrorInvalidDimensions: Int32 = -14
/// `LAError.notInteractive`.
public let kLAErrorNotInteractive: Int32 = -1004
