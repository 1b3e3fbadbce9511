// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// The name of a keychain access group; compared byte by byte, case and normalisation included.
package struct AccessGroup: Hashable, Sendable {
    /// UTF-8 of the name.
    package let utf8: WipedBytes

    package init(utf8: WipedBytes) {
        self.utf8 = utf8
    }

    package init(_ name: String) {
        utf8 = WipedBytes(utf8: name)
    }

    /// The name for messages and results.
    package var name: String { utf8.string }

    /// The group of items that a token driver publishes: readable by those entitled, written by nobody.
    package static let token = AccessGroup("com.apple.token")
}
