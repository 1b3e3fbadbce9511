// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The domain of `LAError`.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why a policy was not evaluated (LAError.h).
public struct LAError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The reasons, with Apple's numbers.
    ///
    /// An enumeration, for callers write exhaustive switches over it.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// The person was not recognised.
        case authenticationFailed = -1
        /// The person cancelled.
        case userCancel = -2
        /// The person wants the other way.
        case userFallback = -3
        /// The system cancelled.
        case systemCancel = -4
        /// There is no passcode.
        case passcodeNotSet = -5
        /// There is no biometry.
        case biometryNotAvailable = -6
        /// No biometry is enrolled.
        case biometryNotEnrolled = -7
        /// Biometry failed too often.
        case biometryLockout = -8
        /// The program cancelled.
        case appCancel = -9
        /// The context was invalidated.
        case invalidContext = -10
        /// There is no paired device.
        case companionNotAvailable = -11
        /// The biometric device is not paired.
        case biometryNotPaired = -12
        /// The biometric device is not connected.
        case biometryDisconnected = -13
        /// The embedded view is too small or too large.
        case invalidDimensions = -14
        /// Nobody can or may be asked.
        case notInteractive = -1004

        /// Whether an error is one of this code: `catch LAError.userCancel` asks it.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? LAError)?.code == code
        }
    }

    /// The error as an object.
    public let _nsError: NSError

    /// The error that an object stands for; its domain is not looked at.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// An error of that code; without a text of the caller's it has ours.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        let text = [NSLocalizedDescriptionKey: code.text as Any]
        self.init(
            _nsError: NSError(
                domain: LAErrorDomain, code: code.rawValue, userInfo: text.merging(userInfo) { _, given in given }))
    }

    /// The reason; `authenticationFailed` for a number that is none.
    public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }

    /// `LAErrorDomain`.
    public static var errorDomain: String { LAErrorDomain }

    /// The number of the reason.
    public var errorCode: Int { _nsError.code }

    /// What the error carries besides.
    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    /// A text for a person.
    public var errorDescription: String? { _nsError.localizedDescription }

    /// Whether both have the same domain, number and user info.
    public static func == (left: LAError, right: LAError) -> Bool { left._nsError.isEqual(right._nsError) }

    /// Mixes the number in.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
}
