// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// `keyfob access check FILE...` and `keyfob access who PID`.
    func showAccess() throws(Failure) {
        let operands = invocation.operands
        switch (operands.first, operands.count) {
        case ("check", 2...): try checkPolicies(Array(operands.dropFirst()))
        case ("who", 2):
            guard let pid = Int32(operands[1]), pid > 0 else {
                throw Failure(.usage, "\(Printable.quoted(operands[1])) is no process number")
            }
            try showCaller(pid)
        default:
            throw Failure(
                .usage, "keyfob access takes check FILE..., or who PID", hint: "keyfob access --help shows examples")
        }
    }

    private func checkPolicies(_ files: [String]) throws(Failure) {
        var rules: [RuleReport] = []
        var failures: [Failure] = []
        for file in files {
            do throws(KeychainError) { rules += try access.policy(in: file) } catch { failures.append(Failure(error)) }
        }
        if let last = failures.popLast() {
            // Each broken file is told of; the last one ends the command.
            for failure in failures { console.report(failure) }
            throw last
        }
        guard !wantsJSON else { return try console.write(JSON.array(rules.map(\.json)).text + "\n") }
        var table = TextTable(["FILE", "MATCHES", "IDENTIFIER", "GROUPS"])
        for rule in rules {
            table.append([
                rule.file, rule.conditionWords, rule.applicationIdentifier ?? "user.NAME",
                rule.accessGroups.joined(separator: ", "),
            ])
        }
        try console.write(table.text)
    }

    private func showCaller(_ pid: Int32) throws(Failure) {
        let report = try failing { () throws(KeychainError) in
            try access.caller(pid, invocation[.home])
        }
        guard !wantsJSON else { return try console.write(report.json.text + "\n") }
        let caller = report.caller
        var facts = TextTable(["process", "\(caller.pid), started at tick \(caller.startTime)"])
        facts.append(["user", report.userName.map { "\($0) (\(caller.uid))" } ?? String(caller.uid)])
        facts.append(["groups", ([caller.gid] + caller.groups).map { String($0) }.joined(separator: ", ")])
        facts.append(["executable", caller.executable ?? "unknown: only its own user and root may look"])
        facts.append(["unit", caller.unit ?? "none"])
        facts.append(["rule", report.rule.map { "\($0.file): \($0.conditionWords)" } ?? "none fits"])
        facts.append(["identifier", report.identifier])
        facts.append(["access groups", report.seesAll ? "all there are" : report.accessGroups.joined(separator: ", ")])
        try console.write(facts.text)
    }
}

extension RuleReport {
    fileprivate var conditionWords: String { conditions.isEmpty ? "everybody" : conditions.joined(separator: ", ") }

    fileprivate var json: JSON {
        .object([
            ("file", .string(file)), ("match", .array(conditions.map { .string($0) })),
            ("applicationIdentifier", applicationIdentifier.map { .string($0) } ?? .null),
            ("accessGroups", .array(accessGroups.map { .string($0) })),
        ])
    }
}

extension CallerReport {
    fileprivate var json: JSON {
        .object([
            ("pid", .number(Int64(caller.pid))), ("startTime", .number(Int64(clamping: caller.startTime))),
            ("uid", .number(Int64(caller.uid))), ("user", userName.map { .string($0) } ?? .null),
            ("gid", .number(Int64(caller.gid))), ("groups", .array(caller.groups.map { .number(Int64($0)) })),
            ("executable", caller.executable.map { .string($0) } ?? .null),
            ("unit", caller.unit.map { .string($0) } ?? .null), ("rule", rule?.json ?? .null),
            ("applicationIdentifier", .string(identifier)), ("accessGroups", .array(accessGroups.map { .string($0) })),
            ("seesAllGroups", .bool(seesAll)),
        ])
    }
}
