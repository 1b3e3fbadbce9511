// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

/// Decides which lines a query means; sees them in order, as items are known by what happened to them before.
struct AuditFilter {
    private let since: Double?
    private let caller: String?
    private let hasItem: Bool
    private let hasAccount: Bool
    /// Digests by item class: of the name, and of the account.
    private var digests: [ItemClass: (name: [UInt8], account: [UInt8]?)] = [:]
    /// The items that have, or had, the name.
    private var items: Set<ItemUUID> = []
    private var userNames: [UInt32: String] = [:]

    /// Whether a line can only be judged if all before it were seen.
    var needsHistory: Bool { hasItem }

    /// - Throws: the store's faults; as `Vault.index` if the query names an item.
    init(_ query: AuditQuery, _ core: KeychainCore) throws(KeychainError) {
        since = query.since
        caller = query.caller
        hasItem = query.item != nil
        hasAccount = query.item?.account != nil
        guard let item = query.item else { return }
        let index = try core.vault.index(.audit)
        for itemClass in ItemClass.allCases where !itemClass.schema.isEmpty {
            var attributes: AttributeSet = [itemClass.auditedName: .text(item.name)]
            let name = index.audit(itemClass, itemClass.auditedName, .text(item.name))
            var account: [UInt8]?
            if let wanted = item.account {
                attributes[.account] = .text(wanted)
                account = index.audit(itemClass, .account, .text(wanted))
            }
            digests[itemClass] = (name, account)
            let everything = Entitlements(applicationIdentifier: "*")
            let query = ItemQuery(itemClass: itemClass, attributes: attributes, synchronizable: .any)
            let scopes = try core.directory.scopes(for: query, everything, forWriting: false, .audit)
            guard let selection = SearchDigests.selection(query, in: scopes, index) else { continue }
            items.formUnion(try core.store.select(selection, withValues: false).map(\.uuid))
        }
    }

    /// Whether the line is meant.
    mutating func accepts(_ line: AuditLine) -> Bool {
        var event: AccessEvent?
        if case .access(let found) = line.content { event = found }
        if hasItem {
            guard let event, concernsItem(event) else { return false }
        }
        if let since, AuditTime.seconds(line.time) < since { return false }
        if let caller {
            guard let who = event?.caller, matches(who, caller) else { return false }
        }
        return true
    }

    private mutating func concernsItem(_ event: AccessEvent) -> Bool {
        guard let itemClass = event.itemClass, let wanted = digests[itemClass] else { return false }
        if !items.isDisjoint(with: event.items) { return true }
        guard event.nameDigest == wanted.name else { return false }
        let namesAccount = event.accountDigest != nil && event.accountDigest == wanted.account
        guard hasAccount, !namesAccount else {
            // The item keeps its UUID when it is renamed, and after that is known by nothing else.
            items.formUnion(event.items)
            return true
        }
        // Without an account it was looked for among others; if others were found, it was not there.
        return event.accountDigest == nil && event.items.isEmpty
    }

    private mutating func matches(_ who: Caller, _ text: String) -> Bool {
        if let uid = UInt32(text) { return who.uid == uid }
        if who.unit == text || who.unit?.hasSuffix("/\(text)") == true { return true }
        if who.unit == "\(text).service" || who.unit?.hasSuffix("/\(text).service") == true { return true }
        if who.executable == text || who.executable?.hasSuffix("/\(text)") == true { return true }
        return userName(who.uid) == text
    }

    private mutating func userName(_ uid: UInt32) -> String {
        if let known = userNames[uid] { return known }
        let name = Accounts.name(of: uid) ?? ""
        userNames[uid] = name
        return name
    }
}
