// SPDX-License-Identifier: Apache-2.0
// A table of constants: which attributes each class has.
internal import KeyfobMemory

/// How values of an attribute are accepted, kept and compared.
package enum AttributeKind: Hashable, Sendable {
    /// Text, data or a number, kept as given, compared by bytes.
    case blob
    /// Data; text becomes its UTF-8, a number its four bytes.
    case data
    /// A number; text that is no decimal number stays text.
    case number
    case date
    /// Text only.
    case text
    /// An access control object.
    case accessControl
}

/// One attribute of a class.
package struct AttributeSchema: Sendable {
    package let name: AttributeName
    package let kind: AttributeKind
    /// Whether it is part of the class's own primary key (the access group, `sync`, `tkid` and `vwht` are in all).
    package let isKey: Bool
    /// What an item holds that was added without it; nil: nothing.
    package let defaultValue: AttributeValue?

    fileprivate init(
        _ name: AttributeName, _ kind: AttributeKind, isKey: Bool = false, default value: AttributeValue? = nil
    ) {
        self.name = name
        self.kind = kind
        self.isKey = isKey
        defaultValue = value
    }
}

extension ItemClass {
    /// Every attribute of the class, its key first; empty for classes that have no rows of their own.
    package var schema: [AttributeSchema] {
        switch self {
        case .genericPassword: Self.genericPasswordSchema
        case .internetPassword: Self.internetPasswordSchema
        case .certificate, .key, .identity: []
        }
    }

    /// The attribute of that name, or nil if the class has none.
    package func schema(of name: AttributeName) -> AttributeSchema? {
        schema.first { $0.name == name }
    }

    private static let common: [AttributeSchema] = [
        .init(.accessGroup, .text), .init(.synchronizable, .number), .init(.accessible, .text),
        .init(.accessControl, .accessControl), .init(.creationDate, .date), .init(.modificationDate, .date),
        .init(.label, .blob), .init(.alias, .blob), .init(.tokenID, .text), .init(.syncViewHint, .text),
        .init(.sha1, .data), .init(.tombstone, .number), .init(.multiUser, .data),
    ]

    private static let passwords: [AttributeSchema] = [
        .init(.description, .blob), .init(.comment, .blob), .init(.protectionText, .blob),
        .init(.creator, .number), .init(.type, .number), .init(.scriptCode, .number),
        .init(.isInvisible, .number), .init(.isNegative, .number), .init(.customIcon, .number),
    ]

    private static let empty = AttributeValue.text(WipedBytes())

    private static let genericPasswordSchema: [AttributeSchema] =
        [
            .init(.account, .blob, isKey: true, default: empty), .init(.service, .blob, isKey: true, default: empty),
        ] + common + passwords + [.init(.generic, .blob)]

    private static let internetPasswordSchema: [AttributeSchema] =
        [
            .init(.account, .blob, isKey: true, default: empty),
            .init(.securityDomain, .blob, isKey: true, default: empty),
            .init(.server, .blob, isKey: true, default: empty),
            .init(.protocol, .number, isKey: true, default: .number(0)),
            .init(.authenticationType, .blob, isKey: true, default: empty),
            .init(.port, .number, isKey: true, default: .number(0)),
            .init(.path, .blob, isKey: true, default: empty),
        ] + common + passwords
}
