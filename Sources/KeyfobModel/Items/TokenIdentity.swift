// SPDX-License-Identifier: Apache-2.0

/// The token of a keychain as messages and status name it: what `CK_TOKEN_INFO` says, blank padding removed.
package struct TokenIdentity: Hashable, Sendable {
    package let label: String
    package let manufacturer: String
    package let model: String
    package let serial: String

    package init(label: String, manufacturer: String, model: String, serial: String) {
        self.label = label
        self.manufacturer = manufacturer
        self.model = model
        self.serial = serial
    }
}
