// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

extension CommandContext {
    /// `keyfob verify`: opens every item.
    func verify() throws(Failure) {
        let keychain = try openKeychain()
        let showsProgress = console.errorIsTerminal && !wantsJSON
        let report = try failing { () throws(KeychainError) in
            try logIn(to: keychain)
            return try keychain.verify { done, all in
                if showsProgress, done % 1000 == 0, done > 0 { console.talk("\(done) of \(all) items opened") }
            }
        }
        try wantsJSON ? console.write(report.json.text + "\n") : console.write(report.text)
        guard report.faults.isEmpty else {
            throw Failure(
                .damaged, "\(report.faults.count) of \(report.faults.count + report.intact) items do not open",
                hint: "nothing was changed; a backup has what they held")
        }
    }
}

extension VerifyReport {
    fileprivate var json: JSON {
        .object([
            ("intact", .number(Int64(intact))),
            (
                "faults",
                .array(
                    faults.map { fault in
                        .object([
                            ("class", .string(ItemClassName(fault.item.itemClass).word)),
                            ("uuid", .string(fault.item.uuid.description)), ("reason", .string(fault.reason)),
                        ])
                    })
            ),
        ])
    }

    fileprivate var text: String {
        guard !faults.isEmpty else { return "\(intact) items open\n" }
        var table = TextTable(["ITEM", "CLASS", "FAULT"])
        for fault in faults {
            table.append([fault.item.uuid.description, ItemClassName(fault.item.itemClass).word, fault.reason])
        }
        return "\(intact) items open, \(faults.count) do not:\n" + table.text
    }
}
