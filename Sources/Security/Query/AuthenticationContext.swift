// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// What `kSecUseAuthenticationContext` must hold; the `LAContext` of LocalAuthentication conforms.
package protocol AuthenticationContext: AnyObject {
    /// Whether an item that needs a person fails instead of asking.
    var interactionNotAllowed: Bool { get }

    /// Why the person is asked; empty: nobody said.
    var localizedReason: String { get }

    /// The token's PIN for one use at each item, or nil.
    func copyPIN() throws(SecretMemoryError) -> SecretBytes?

    /// The password of items that ask for one, or nil.
    func copyApplicationPassword() throws(SecretMemoryError) -> SecretBytes?
}

extension AuthenticationContext {
    /// Nobody said.
    package var localizedReason: String { "" }

    /// None.
    package func copyPIN() throws(SecretMemoryError) -> SecretBytes? { nil }

    /// None.
    package func copyApplicationPassword() throws(SecretMemoryError) -> SecretBytes? { nil }
}
