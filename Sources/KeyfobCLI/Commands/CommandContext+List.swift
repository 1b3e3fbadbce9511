// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob list`: the attributes of the items that fit.
    func list() throws(Failure) {
        let classes = try ItemSelector.className(invocation).map { [$0] } ?? Self.listed(invocation)
        var queries: [ItemQuery] = []
        for className in classes { queries.append(try ItemSelector(invocation, className: className).query) }
        var found: [FoundItem] = []
        var leftOut: [String] = []
        try withKeychain { (keychain) throws(Failure) in
            for query in queries {
                let seen = try failing { () throws(KeychainError) in try look(query, in: keychain) }
                found += seen.items
                if let words = seen.leftOut { leftOut.append("\(ItemClassName(query.itemClass).word): \(words)") }
            }
        }
        for words in leftOut { console.hint(words) }
        found.sort { ($0.name, $0.account) < ($1.name, $1.account) }
        if wantsJSON {
            try console.write(JSON.lines(found.map(\.json)))
        } else if found.isEmpty && leftOut.isEmpty {
            if console.errorIsTerminal { console.hint("there are no items; keyfob set NAME stores one") }
        } else if !found.isEmpty {
            try console.write(table(found).text)
        }
    }

    /// Options that only internet passwords have narrow a list to them.
    private static func listed(_ invocation: Invocation) -> [ItemClassName] {
        let isInternet = [OptionName.port, .protocol, .path].contains { invocation.has($0) }
        return isInternet ? [ItemClassName(.internetPassword)] : ItemClassName.withValues
    }

    private func table(_ found: [FoundItem]) -> TextTable {
        var table = TextTable(
            ["NAME", "ACCOUNT", "CLASS", "ACCESSIBLE", "GROUP", "MODIFIED"],
            maximumWidth: console.outputIsTerminal ? 40 : nil)
        for item in found {
            table.append([item.name, item.account, item.className.word, item.accessible, item.group, item.modified])
        }
        return table
    }
}
