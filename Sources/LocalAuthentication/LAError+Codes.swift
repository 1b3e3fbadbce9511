// SPDX-License-Identifier: Apache-2.0

// The codes by the names that callers write: `LAError.userCancel`.
extension LAError {
    /// The person was not recognised.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// The person cancelled.
    public static var userCancel: Code { .userCancel }
    /// The person wants the other way.
    public static var userFallback: Code { .userFallback }
    /// The system cancelled.
    public static var systemCancel: Code { .systemCancel }
    /// There is no passcode.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// There is no biometry.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// No biometry is enrolled.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// Biometry failed too often.
    public static var biometryLockout: Code { .biometryLockout }
    /// The program cancelled.
    public static var appCancel: Code { .appCancel }
    /// The context was invalidated.
    public static var invalidContext: Code { .invalidContext }
    /// There is no paired device.
    public static var companionNotAvailable: Code { .companionNotAvailable }
    /// The biometric device is not paired.
    public static var biometryNotPaired: Code { .biometryNotPaired }
    /// The biometric device is not connected.
    public static var biometryDisconnected: Code { .biometryDisconnected }
    /// The embedded view is too small or too large.
    public static var invalidDimensions: Code { .invalidDimensions }
    /// Nobody can or may be asked.
    public static var notInteractive: Code { .notInteractive }

    /// The older name of `biometryNotAvailable`.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// The older name of `biometryNotEnrolled`.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// The older name of `biometryLockout`.
    public static var touchIDLockout: Code { .biometryLockout }
    /// The older name of `companionNotAvailable`.
    public static var watchNotAvailable: Code { .companionNotAvailable }
}

extension LAError.Code {
    /// The older name of `biometryNotAvailable`.
    public static let touchIDNotAvailable = biometryNotAvailable
    /// The older name of `biometryNotEnrolled`.
    public static let touchIDNotEnrolled = biometryNotEnrolled
    /// The older name of `biometryLockout`.
    public static let touchIDLockout = biometryLockout
    /// The older name of `companionNotAvailable`.
    public static let watchNotAvailable = companionNotAvailable

    /// What a person reads.
    var text: String {
        switch self {
        case .authenticationFailed: "the person was not recognised"
        case .userCancel: "the person cancelled"
        case .userFallback: "the person wants another way"
        case .systemCancel: "the system cancelled"
        case .passcodeNotSet: "there is no passcode"
        case .biometryNotAvailable: "this machine has no biometry"
        case .biometryNotEnrolled: "no biometry is enrolled"
        case .biometryLockout: "biometry failed too often"
        case .appCancel: "the program cancelled"
        case .invalidContext: "the context was invalidated"
        case .companionNotAvailable: "there is no paired device"
        case .biometryNotPaired: "the biometric device is not paired"
        case .biometryDisconnected: "the biometric device is not connected"
        case .invalidDimensions: "the embedded view has no usable size"
        case .notInteractive: "this process cannot ask a person, or may not"
        }
    }
}
