// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobWords

/// The attributes of one item as the command line shows them.
struct FoundItem {
    let className: ItemClassName
    let reference: PersistentReference?
    private let attributes: AttributeSet

    init(_ result: ItemResult) {
        className = ItemClassName(result.itemClass)
        reference = result.persistentReference
        attributes = result.attributes ?? [:]
    }

    var name: String { text(className.nameAttribute) }
    var account: String { text(.account) }
    var group: String { text(.accessGroup) }
    var isSynchronizable: Bool { attributes[.synchronizable] == .number(1) }
    var modified: String { date(.modificationDate) ?? "" }
    var accessible: String { Accessibility(code: text(.accessible))?.word ?? text(.accessible) }

    /// Members in a fixed order; those that the item does not have are left out, but for name and account.
    var json: JSON {
        var members: [(String, JSON)] = [
            ("class", .string(className.word)), ("name", value(className.nameAttribute) ?? .string("")),
            ("account", value(.account) ?? .string("")),
        ]
        if let label = value(.label) { members.append(("label", label)) }
        for (key, name) in Self.internetMembers {
            guard className.itemClass == .internetPassword, let found = value(name) else { continue }
            members.append((key, found))
        }
        members.append(("accessible", .string(accessible)))
        if let group = value(.accessGroup) { members.append(("accessGroup", group)) }
        members.append(("synchronizable", .bool(isSynchronizable)))
        for (key, name) in [("created", AttributeName.creationDate), ("modified", .modificationDate)] {
            if let moment = date(name) { members.append((key, .string(moment))) }
        }
        if let reference { members.append(("uuid", .string(reference.uuid.description))) }
        return .object(members)
    }

    private static let internetMembers: [(String, AttributeName)] = [
        ("protocol", .protocol), ("port", .port), ("path", .path), ("securityDomain", .securityDomain),
        ("authenticationType", .authenticationType),
    ]

    private func text(_ name: AttributeName) -> String {
        switch attributes[name] {
        case .text(let bytes)?, .data(let bytes)?: bytes.string
        case .number(let number)?: String(number)
        case .date(let seconds)?: Timestamp.text(seconds)
        case nil: ""
        }
    }

    private func date(_ name: AttributeName) -> String? {
        guard case .date(let seconds)? = attributes[name] else { return nil }
        return Timestamp.text(seconds)
    }

    private func value(_ name: AttributeName) -> JSON? {
        switch attributes[name] {
        case .text(let bytes)?, .data(let bytes)?: .bytes(bytes)
        case .number(let number)? where name == .protocol: number == 0 ? nil : .string(InternetProtocol.word(number))
        case .number(let number)?: name == .port && number == 0 ? nil : .number(number)
        case .date(let seconds)?: .string(Timestamp.text(seconds))
        case nil: nil
        }
    }
}
