// SPDX-License-Identifier: Apache-2.0

/// The text that a module wants to be initialised with: `CK_C_INITIALIZE_ARGS.pReserved`, which PKCS #11 v3.1 §5.4 leaves
/// to modules; NSS softokn takes its database's folder from it.
///
/// No secret: it stands in the keychain's configuration.
package struct ModuleParameters: Hashable, Sendable {
    package let text: String

    /// - Returns: nil for an empty text and one with a NUL, at which the module would stop reading.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        self.text = text
    }
}
