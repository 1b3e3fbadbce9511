// SPDX-License-Identifier: Apache-2.0

/// The constraints of an access control object (SecAccessControl.h).
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// The constraints with those bits; which combinations are legal `SecAccessControlCreateWithFlags` says.
    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    /// Biometry or the passcode; here: the token's PIN, once per use.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// Any enrolled biometry.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// Another name of `biometryAny`.
    public static let touchIDAny = biometryAny
    /// The biometry enrolled now.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// Another name of `biometryCurrentSet`.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The passcode; here: the token's PIN, once per use.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A paired companion device.
    public static let companion = Self(rawValue: 1 << 5)
    /// Another name of `companion`.
    public static let watch = companion
    /// One of the constraints is enough.
    public static let or = Self(rawValue: 1 << 14)
    /// All constraints must be met.
    public static let and = Self(rawValue: 1 << 15)
    /// The constraints guard the use of a private key.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// A password that the application supplies.
    public static let applicationPassword = Self(rawValue: 1 << 31)

    static let known: Self = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
        .applicationPassword,
    ]

    /// Whether the constraints can stand together.
    ///
    /// An unknown bit is refused: a constraint that is dropped in silence protects nothing.
    var isLegal: Bool {
        if !isSubset(of: Self.known) { return false }
        if isSuperset(of: [.or, .and]) { return false }
        if isSuperset(of: [.biometryAny, .biometryCurrentSet]) { return false }
        return !contains(.userPresence) || isSubset(of: [.userPresence, .privateKeyUsage, .applicationPassword])
    }
}
