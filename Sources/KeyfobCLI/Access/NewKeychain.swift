// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What `keyfob init` asks for.
package struct NewKeychain: Hashable, Sendable {
    /// The URI of an existing token; nil: a SoftHSM token is made in the folder.
    package var token: String?
    /// What the module of the URI's `module-path` is initialised with; nil: nothing.
    package var moduleParameters: String?
    /// Whether the module runs in a process of its own.
    package var isolatesModule = false
    /// How the class keys may be kept.
    package var keys = KeyPolicy()

    package init(token: String? = nil) {
        self.token = token
    }
}
