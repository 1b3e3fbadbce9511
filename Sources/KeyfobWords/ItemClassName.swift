// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// The word for a class of items on the command line, in tables and in JSON.
package struct ItemClassName: Hashable, Sendable {
    package let itemClass: ItemClass

    package init(_ itemClass: ItemClass) {
        self.itemClass = itemClass
    }

    /// The class that `--class` names; nil for any other word.
    ///
    /// Only classes that hold values have one.
    package init?(word: String) {
        guard let found = Self.withValues.first(where: { $0.word == word }) else { return nil }
        self = found
    }

    /// `generic` or `internet`; the others have words for messages only.
    package var word: String {
        switch itemClass {
        case .genericPassword: "generic"
        case .internetPassword: "internet"
        case .certificate: "certificate"
        case .key: "key"
        case .identity: "identity"
        }
    }

    /// The attribute that NAME stands for: the service of a generic password, the server of an internet password.
    package var nameAttribute: AttributeName { itemClass == .internetPassword ? .server : .service }

    /// The classes that the command line can store and list.
    package static let withValues: [Self] = [.init(.genericPassword), .init(.internetPassword)]
}
