// SPDX-License-Identifier: Apache-2.0

/// By what a person is to be recognised (LAPolicy, LAContext.h).
public enum LAPolicy: Int, Sendable {
    /// Biometry.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// Biometry or the passcode.
    case deviceOwnerAuthentication = 2
    /// A watch, or another paired device.
    case deviceOwnerAuthenticationWithWatch = 3
    /// Biometry or a watch.
    case deviceOwnerAuthenticationWithBiometricsOrWatch = 4
    /// The watch on the wrist.
    case deviceOwnerAuthenticationWithWristDetection = 5

    /// The newer name of `deviceOwnerAuthenticationWithWatch`.
    public static let deviceOwnerAuthenticationWithCompanion = deviceOwnerAuthenticationWithWatch
    /// The newer name of `deviceOwnerAuthenticationWithBiometricsOrWatch`.
    public static let deviceOwnerAuthenticationWithBiometricsOrCompanion =
        deviceOwnerAuthenticationWithBiometricsOrWatch

    /// Why it cannot be evaluated on this machine.
    var obstacle: LAError.Code {
        switch self {
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrWatch:
            .biometryNotAvailable
        case .deviceOwnerAuthenticationWithWatch, .deviceOwnerAuthenticationWithWristDetection: .companionNotAvailable
        case .deviceOwnerAuthentication: .notInteractive
        }
    }
}
