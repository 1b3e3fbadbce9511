// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobWords

extension CommandContext {
    /// `keyfob status`: what can be said without a PIN.
    func status() throws(Failure) {
        try withKeychain { (keychain) throws(Failure) in
            try show(try failing { () throws(KeychainError) in try keychain.status() })
        }
    }

    /// Prints a report as text or JSON.
    func show(_ report: StatusReport) throws(Failure) {
        guard !wantsJSON else { return try console.write(report.json.text + "\n") }
        var facts = TextTable(["keychain", report.folder])
        facts.append(["uuid", report.uuid])
        facts.append(["token", report.token.words])
        facts.append(["state", report.state.rawValue])
        if let tries = report.triesLeft.words { facts.append(["PIN tries", tries]) }
        facts.append(["items", String(report.items)])
        // What fits 80 columns; the JSON has the rest.
        var keys = TextTable(["KEY", "ACCESSIBLE", "USABLE", "SEALS", "RESIDENCE"])
        for key in report.classKeys {
            keys.append([
                key.accessibility.code, key.accessibility.word, key.isUsable ? "yes" : "no", String(key.seals),
                key.residence,
            ])
        }
        try console.write(facts.text + "\n" + keys.text)
    }
}

extension StatusReport {
    fileprivate var json: JSON {
        .object([
            ("folder", .string(folder)), ("uuid", .string(uuid)),
            (
                "token",
                .object([
                    ("label", .string(token.label)), ("manufacturer", .string(token.manufacturer)),
                    ("model", .string(token.model)), ("serial", .string(token.serial)),
                ])
            ),
            ("state", .string(state.rawValue)), ("pinTriesLeft", triesLeft.words.map { .string($0) } ?? .null),
            ("items", .number(Int64(items))), ("classKeys", .array(classKeys.map(\.json))),
        ])
    }
}

extension StatusReport.ClassKey {
    fileprivate var json: JSON {
        .object([
            ("code", .string(accessibility.code)), ("accessible", .string(accessibility.word)),
            ("usable", .bool(isUsable)), ("suite", .string(suite)), ("residence", .string(residence)),
            ("generation", .number(Int64(generation))), ("seals", .number(Int64(clamping: seals))),
        ])
    }
}

extension KeychainError.TriesLeft {
    /// What a token said; nil if it said nothing.
    fileprivate var words: String? {
        switch self {
        case .unknown: nil
        case .few: "few"
        case .one: "one"
        case .none: "none"
        }
    }
}
