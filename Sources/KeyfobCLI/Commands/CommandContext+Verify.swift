// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob verify`: opens every item.
    func verify() throws(Failure) {
        try withKeychain { (keychain) throws(Failure) in try verify(keychain) }
    }

    private func verify(_ keychain: any OpenKeychain) throws(Failure) {
        let report = try failing { () throws(KeychainError) in
            // Of a daemon's keychain, what is locked is counted.
            if mayLogIn(to: keychain) { try logIn(to: keychain) }
            return try showingProgress("opening items") { (progress) throws(KeychainError) in
                try keychain.verify(progress)
            }
        }
        try wantsJSON ? console.write(report.json.text + "\n") : console.write(report.text)
        guard report.findings.isEmpty else {
            throw Failure(
                .damaged, "\(report.damaged) of \(report.damaged + report.verified) items do not open whole",
                hint: "nothing was changed; a backup has what they held")
        }
    }
}

extension VerificationReport {
    /// How many items have faults.
    fileprivate var damaged: Int { Set(findings.map(\.row)).count }

    fileprivate var json: JSON {
        .object([
            ("verified", .number(Int64(verified))), ("locked", .number(Int64(locked))),
            ("findings", .array(findings.map(\.json))),
        ])
    }

    fileprivate var text: String {
        let open = "items that open: \(verified)" + (locked > 0 ? ", locked: \(locked)" : "")
        guard !findings.isEmpty else { return open + "\n" }
        var table = TextTable(["ROW", "ITEM", "COLUMN", "FAULT"])
        for finding in findings {
            table.append([String(finding.row), finding.item.description, finding.column, finding.fault])
        }
        return "\(open), damaged: \(damaged)\n" + table.text
    }
}

extension VerificationReport.Finding {
    fileprivate var json: JSON {
        .object([
            ("row", .number(row)), ("uuid", .string(item.description)), ("column", .string(column)),
            ("fault", .string(fault)),
        ])
    }
}
