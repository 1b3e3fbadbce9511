// SPDX-License-Identifier: Apache-2.0

/// The class of a keychain item (SecItem.h, `kSecClass`).
///
/// The raw value is what stores and frames carry.
package enum ItemClass: UInt8, CaseIterable, Hashable, Sendable {
    case genericPassword = 1
    case internetPassword = 2
    case certificate = 3
    case key = 4
    case identity = 5

    /// The four characters that Apple's constants hold, `genp` for instance.
    package var code: String {
        switch self {
        case .genericPassword: "genp"
        case .internetPassword: "inet"
        case .certificate: "cert"
        case .key: "keys"
        case .identity: "idnt"
        }
    }

    /// The class with that code, or nil for any other string.
    package init?(code: String) {
        guard let found = Self.allCases.first(where: { $0.code.utf8.elementsEqual(code.utf8) }) else { return nil }
        self = found
    }
}
