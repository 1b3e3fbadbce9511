// SPDX-License-Identifier: Apache-2.0

/// What a caller may show while the keys of a keychain are made; a smartcard takes seconds for each.
package enum ProvisioningStep: Hashable, Sendable {
    case probing
    case making(Accessibility)
}
