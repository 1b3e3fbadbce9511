// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// `keyfob audit` and `keyfob audit verify`.
    func audit() throws(Failure) {
        switch invocation.operands.first {
        case nil:
            let query = try auditQuery()
            try withKeychain { (keychain) throws(Failure) in try list(query, keychain) }
        case "verify":
            for option in [OptionName.since, .item, .account, .caller] where invocation.has(option) {
                throw Failure(.usage, "keyfob audit verify reads the whole log and takes no --\(option.rawValue)")
            }
            try withKeychain { (keychain) throws(Failure) in try verifyAudit(keychain) }
        default:
            throw Failure(.usage, "keyfob audit takes nothing, or verify", hint: "keyfob audit --help shows examples")
        }
    }

    private func auditQuery() throws(Failure) -> AuditQuery {
        var query = AuditQuery(caller: invocation[.caller])
        if let text = invocation[.since] {
            guard let since = PointInTime.parse(text, now: WallClock.now()) else {
                throw Failure(
                    .usage, "--since does not take \(Printable.quoted(Printable.text(text, columns: 40)))",
                    hint: "give 30m, 2h, 7d, or a date such as 2026-11-30 or 2026-11-30T10:00")
            }
            query.since = since
        }
        guard let item = invocation[.item] else {
            guard !invocation.has(.account) else {
                throw Failure(.usage, "--account needs the item's name", hint: "give --item NAME too")
            }
            return query
        }
        query.item = Self.item(item, account: invocation[.account])
        return query
    }

    private static func item(_ text: String, account: String?) -> AuditQuery.Item {
        if let account { return AuditQuery.Item(name: WipedBytes(utf8: text), account: WipedBytes(utf8: account)) }
        guard let slash = text.lastIndex(of: "/") else { return AuditQuery.Item(name: WipedBytes(utf8: text)) }
        let rest = String(text[text.index(after: slash)...])
        return AuditQuery.Item(
            name: WipedBytes(utf8: String(text[..<slash])), account: rest.isEmpty ? nil : WipedBytes(utf8: rest))
    }

    private func list(_ query: AuditQuery, _ keychain: any OpenKeychain) throws(Failure) {
        let records = try failing { () throws(KeychainError) in
            // Names need no login unless their items do, and nobody should have to type a PIN to see the rest.
            if invocation.has(.pinSource) { try logIn(to: keychain) }
            var query = query
            var records: [AuditRecord] = []
            while true {
                let page = try keychain.audit(query)
                records += page
                guard page.count >= query.limit, let last = page.last else { return records }
                query.after = last.sequence
            }
        }
        if wantsJSON {
            try console.write(JSON.lines(records.map(\.json)))
        } else if records.isEmpty {
            if console.errorIsTerminal { console.hint("nothing of that kind is in the audit log") }
        } else {
            try console.write(AuditTable(query, isTerminal: console.outputIsTerminal).text(records))
        }
    }

    private func verifyAudit(_ keychain: any OpenKeychain) throws(Failure) {
        let found = try failing { () throws(KeychainError) in
            try showingProgress("reading the audit log") { (progress) throws(KeychainError) in
                try keychain.verifyAudit(progress)
            }
        }
        try console.write(wantsJSON ? found.json.text + "\n" : found.text)
        guard found.findings.isEmpty else {
            throw Failure(
                .damaged, "the audit log is not as it was written",
                hint: "docs/audit.md says what each fault means; copy the files before anything else is done to them")
        }
    }
}
