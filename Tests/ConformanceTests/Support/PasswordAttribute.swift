// SPDX-License-Identifier: Apache-2.0
// A table of constants: the attributes of passwords as sections 4 and 4.1 of the behaviour reference list them.
internal import Foundation
internal import Security

/// One attribute of one class, independent of the product's own schema.
struct PasswordAttribute: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case blob, number, text
    }

    let itemClass: String
    let code: String
    let kind: Kind
    /// Whether it is part of the primary key.
    let isKey: Bool

    var description: String { "\(itemClass).\(code)" }

    /// The key as a caller writes it who does not use the constants.
    var key: CFString { NSString(string: code) }

    /// All items of the class, narrowed or described by `more`.
    func items(_ more: Query = [:]) -> Query {
        [kSecClass: NSString(string: itemClass)].merging(more) { _, new in new }
    }

    /// An item whose attribute has that value.
    func item(_ value: Any) -> Query { items([key: value]) }

    /// Two values that the attribute takes and that are not its default.
    var values: (Any, Any) {
        switch kind {
        case .blob, .text: ("first", "second")
        case .number: (17, 18)
        }
    }

    static let all = genericPassword + internetPassword
    static let blobs = all.filter { $0.kind == .blob }
    static let numbers = all.filter { $0.kind == .number }
    static let keys = all.filter { $0.isKey && $0.kind != .text }
    static let others = all.filter { !$0.isKey }

    private static let genericPassword =
        list("genp", .blob, ["acct", "svce"], isKey: true) + list("genp", .blob, ["gena"]) + shared("genp")

    private static let internetPassword =
        list("inet", .blob, ["acct", "sdmn", "srvr", "atyp", "path"], isKey: true)
        + list("inet", .number, ["ptcl", "port"], isKey: true) + shared("inet")

    private static func shared(_ itemClass: String) -> [PasswordAttribute] {
        list(itemClass, .blob, ["labl", "alis", "desc", "icmt", "prot"])
            + list(itemClass, .number, ["crtr", "type", "scrp", "invi", "nega", "cusi"])
            + list(itemClass, .text, ["tkid", "vwht"], isKey: true)
    }

    private static func list(
        _ itemClass: String, _ kind: Kind, _ codes: [String], isKey: Bool = false
    ) -> [PasswordAttribute] {
        codes.map { PasswordAttribute(itemClass: itemClass, code: $0, kind: kind, isKey: isKey) }
    }
}
