// SPDX-License-Identifier: Apache-2.0

/// What `kSecUseAuthenticationContext` must hold; the `LAContext` of LocalAuthentication conforms.
package protocol AuthenticationContext: AnyObject {
    /// Whether an item that needs a person fails instead of asking.
    var interactionNotAllowed: Bool { get }
}
