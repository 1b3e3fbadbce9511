// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

/// Which items the operand NAME and the selecting options mean.
struct ItemSelector {
    let name: String?
    let className: ItemClassName
    /// Attributes besides the name that were given.
    private var others: AttributeSet = [:]
    let account: String?
    let group: AccessGroup?
    /// Nil if it was not given.
    let synchronizable: SynchronizableFilter?
    let accessibility: Accessibility?
    /// Whether text that was given means every spelling that differs in case alone.
    private let ignoresCase: Bool
    /// What some attribute must contain, or nil.
    private let part: String?

    /// - Throws: `Failure` with status `usage` for a value that an option does not take.
    init(_ invocation: Invocation, className: ItemClassName? = nil) throws(Failure) {
        name = invocation.operands.first
        let given = try Self.className(invocation)
        self.className = className ?? given ?? ItemClassName(.genericPassword)
        account = invocation[.account]
        group = invocation[.group].map { AccessGroup($0) }
        synchronizable = try Self.parse(invocation, .synchronizable) { word in
            switch word {
            case "yes": .synchronizableOnly
            case "no": .localOnly
            case "any": .any
            default: nil
            }
        }
        accessibility = try Self.parse(invocation, .accessible) { Accessibility(word: $0) }
        ignoresCase = invocation.has(.ignoreCase)
        part = invocation[.contains]
        try takeInternetOptions(invocation)
    }

    /// The class that `--class` names, or nil if it was not given.
    static func className(_ invocation: Invocation) throws(Failure) -> ItemClassName? {
        try parse(invocation, .itemClass) { ItemClassName(word: $0) }
    }

    /// Everything that identifies the item, for an add: an account that was not given is the empty one.
    var identity: AttributeSet {
        var attributes = filter
        attributes[.account] = .text(account ?? "")
        return attributes
    }

    /// What was given, for a search.
    var filter: AttributeSet {
        var attributes = others
        if let name { attributes[className.nameAttribute] = .text(name) }
        if let account { attributes[.account] = .text(account) }
        return attributes
    }

    /// The query for the items that fit what was given.
    var query: ItemQuery {
        var query = ItemQuery(
            itemClass: className.itemClass, accessGroup: group, synchronizable: synchronizable ?? .any,
            accessibility: accessibility)
        for (name, value) in filter {
            // A search digest tells one spelling from all others.
            if ignoresCase, case .text(let text) = value {
                query.textFilters.append(TextFilter(name, .equal, text, ignoresCase: true))
            } else {
                query.attributes[name] = value
            }
        }
        if let part {
            query.textFilters.append(TextFilter(nil, .contains, WipedBytes(utf8: part), ignoresCase: ignoresCase))
        }
        return query
    }

    /// `item "mail" (account "ci")`, for messages.
    var words: String {
        "item \(Printable.quoted(name ?? ""))" + (account.map { " (account \(Printable.quoted($0)))" } ?? "")
    }

    // MARK: - Options

    private mutating func takeInternetOptions(_ invocation: Invocation) throws(Failure) {
        for option in [OptionName.port, .protocol, .path] where invocation.has(option) {
            guard className.itemClass == .internetPassword else {
                throw Failure(.usage, "--\(option.rawValue) is for internet passwords", hint: "give --class internet")
            }
        }
        let port = try Self.parse(invocation, .port) { UInt16($0) }
        if let port { others[.port] = .number(Int64(port)) }
        let number = try Self.parse(invocation, .protocol) { InternetProtocol.number($0) }
        if let number { others[.protocol] = .number(number) }
        if let path = invocation[.path] { others[.path] = .text(path) }
    }

    private static func parse<T>(
        _ invocation: Invocation, _ option: OptionName, _ parse: (String) -> T?
    ) throws(Failure) -> T? {
        guard let text = invocation[option] else { return nil }
        if let value = parse(text) { return value }
        var hint = "\(option.spec.usage): \(option.spec.summary)"
        if case .words(let words) = option.spec.values, let nearest = Suggestion.nearest(to: text, among: words) {
            hint = "did you mean --\(option.rawValue) \(nearest)?"
        }
        throw Failure(
            .usage, "--\(option.rawValue) does not take \(Printable.quoted(Printable.text(text, columns: 40)))",
            hint: hint)
    }
}
