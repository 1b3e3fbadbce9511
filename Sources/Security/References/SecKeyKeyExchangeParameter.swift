// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The name of a parameter of `SecKeyCopyKeyExchangeResult` (SecKey.h).
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// The parameter of that name.
    public init(rawValue: CFString) {
        name = String(rawValue)
    }

    /// The name.
    public var rawValue: CFString { NSString(string: name) }

    /// How many bytes are wanted.
    public static let requestedSize = Self(rawValue: "requestedSize")
    /// What both sides mix in.
    public static let sharedInfo = Self(rawValue: "sharedInfo")
}
