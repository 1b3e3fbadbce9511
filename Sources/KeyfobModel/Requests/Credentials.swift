// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// What a caller gives for items that need a person or a password.
///
/// Shared by the tries of one call, because requests for reading are values that are made twice and compared; wiped when
/// the last of them goes. Two are equal if they are the same.
package final class Credentials: Hashable, Sendable {
    /// The token's PIN, for one use at each item.
    package let pin: SecretBytes?
    /// The password of items that ask for one.
    package let applicationPassword: SecretBytes?

    package init(pin: consuming SecretBytes? = nil, applicationPassword: consuming SecretBytes? = nil) {
        self.pin = pin
        self.applicationPassword = applicationPassword
    }

    /// What there can be.
    package enum Kind: Hashable, Sendable {
        case pin
        case applicationPassword
    }

    /// Whether there is one.
    package func has(_ kind: Kind) -> Bool {
        switch kind {
        case .pin: pin != nil
        case .applicationPassword: applicationPassword != nil
        }
    }

    /// These, with one more in its place.
    ///
    /// - Throws: `SecretMemoryError` if there is no locked memory for the others.
    package func adding(_ kind: Kind, _ secret: consuming SecretBytes) throws(SecretMemoryError) -> Credentials {
        switch kind {
        case .pin: Credentials(pin: secret, applicationPassword: try applicationPassword?.copy())
        case .applicationPassword: Credentials(pin: try pin?.copy(), applicationPassword: secret)
        }
    }

    /// Whether both are one.
    package static func == (left: Credentials, right: Credentials) -> Bool { left === right }

    /// Mixes in which one it is.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
