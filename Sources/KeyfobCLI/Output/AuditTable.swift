// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobWords

/// The lines of the audit log as people read them.
struct AuditTable {
    private let asked: String
    private let isTerminal: Bool

    init(_ query: AuditQuery, isTerminal: Bool) {
        asked = query.item.map { Self.name($0.name, $0.account) } ?? ""
        self.isTerminal = isTerminal
    }

    /// A heading and one line a record.
    func text(_ records: [AuditRecord]) -> String {
        var table = TextTable(
            ["TIME", "CALLER", "OPERATION", "ITEM", "GROUP", "RESULT", "MS"], maximumWidth: isTerminal ? 40 : nil)
        for record in records {
            let isAccess = record.note == nil
            table.append([
                Timestamp.text(record.time), Self.caller(record.event.caller), record.event.action.rawValue,
                record.note ?? record.event.lockReason?.word ?? item(record),
                record.groups.map(\.name).joined(separator: ", "),
                isAccess ? Self.result(record) : "", isAccess ? Self.milliseconds(record.event.microseconds) : "",
            ])
        }
        return table.text
    }

    private func item(_ record: AuditRecord) -> String {
        let names = record.items.map { item in
            item.name.map { Self.name($0, item.account) } ?? String(item.uuid.description.prefix(8))
        }
        guard let first = names.first else {
            guard let digest = record.event.nameDigest else { return "" }
            // Nobody can tell what was asked for, unless it is what this question is about.
            return asked.isEmpty ? "?" + Self.hexadecimal(digest.prefix(4)) : asked
        }
        let others = max(record.event.itemCount, names.count) - 1
        return others > 0 ? "\(first) +\(others)" : first
    }

    private static func name(_ name: WipedBytes, _ account: WipedBytes?) -> String {
        guard let account, account.count > 0 else { return name.string }
        return "\(name.string)/\(account.string)"
    }

    /// `shop.service`, else `shop (1000)`.
    private static func caller(_ caller: Caller?) -> String {
        guard let caller else { return "-" }
        if let unit = caller.unit { return unit }
        let program = caller.executable?.split(separator: "/").last.map(String.init) ?? "pid \(caller.pid)"
        return "\(program) (\(caller.uid))"
    }

    private static func result(_ record: AuditRecord) -> String { record.event.result?.words.name ?? "ok" }

    private static func milliseconds(_ microseconds: Int64) -> String {
        "\(microseconds / 1000).\(microseconds % 1000 / 100)"
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension AuditRecord {
    /// Members in a fixed order; those that do not apply are left out.
    var json: JSON {
        var members: [(String, JSON)] = [
            ("sequence", .number(Int64(clamping: sequence))), ("time", .string(Timestamp.text(time))),
            ("operation", .string(event.action.rawValue)),
        ]
        if let caller = event.caller {
            members.append(("uid", .number(Int64(caller.uid))))
            members.append(("gid", .number(Int64(caller.gid))))
            members.append(("pid", .number(Int64(caller.pid))))
            if let unit = caller.unit { members.append(("unit", .string(unit))) }
            if let executable = caller.executable { members.append(("executable", .string(executable))) }
        }
        if let itemClass = event.itemClass { members.append(("class", .string(ItemClassName(itemClass).word))) }
        if let note {
            members.append(("note", .string(note)))
            return .object(members)
        }
        members.append(("items", .array(items.map(\.json))))
        members.append(("count", .number(Int64(event.itemCount))))
        members.append(("groups", .array(groups.map { .string($0.name) })))
        members.append(("value", .bool(event.givesValue)))
        if let reason = event.lockReason { members.append(("reason", .string(reason.word))) }
        members.append(("result", .string(event.result?.words.name ?? "ok")))
        members.append(("microseconds", .number(event.microseconds)))
        return .object(members)
    }
}

extension AuditRecord.Item {
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [("uuid", .string(uuid.description))]
        if let name { members.append(("name", .bytes(name))) }
        if let account { members.append(("account", .bytes(account))) }
        return .object(members)
    }
}

extension AuditVerification {
    /// One object.
    var json: JSON {
        .object([
            ("lines", .number(Int64(lines))), ("first", .number(Int64(clamping: first))),
            ("last", .number(Int64(clamping: last))), ("checkpoints", .number(Int64(checkpoints))),
            ("unsealed", .number(Int64(unsealed))),
            (
                "findings",
                .array(
                    findings.map { finding in
                        .object([
                            ("fault", .string(finding.fault.rawValue)),
                            ("first", .number(Int64(clamping: finding.sequence))),
                            ("last", .number(Int64(clamping: finding.last))), ("file", .string(finding.file)),
                            ("offset", .number(Int64(finding.offset))),
                        ])
                    })
            ),
        ])
    }

    /// What was read, and a table of what is wrong with it.
    var text: String {
        var text = lines == 0 ? "the audit log is empty\n" : "lines: \(lines), from \(first) to \(last)"
        if lines > 0 {
            text += first > 1 ? " (the log begins at \(first): older files were removed)\n" : "\n"
            text += "checkpoints that the token vouches for: \(checkpoints), lines after the last one: \(unsealed)\n"
        }
        guard !findings.isEmpty else { return text }
        var table = TextTable(["FAULT", "LINES", "FILE", "OFFSET"])
        for finding in findings {
            let range = finding.sequence == finding.last ? "\(finding.last)" : "\(finding.sequence)-\(finding.last)"
            table.append([finding.fault.rawValue, range, finding.file, String(finding.offset)])
        }
        return text + table.text
    }
}
