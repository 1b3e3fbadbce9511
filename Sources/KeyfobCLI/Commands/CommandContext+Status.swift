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
    func show(_ status: KeychainStatus) throws(Failure) {
        guard !wantsJSON else { return try console.write(status.json.text + "\n") }
        var facts = TextTable(["keychain", status.home])
        facts.append(["uuid", status.keychain.description])
        facts.append(["token", status.token.words])
        facts.append(["state", status.stateWords])
        if let tries = status.triesLeft.words { facts.append(["PIN tries", tries]) }
        facts.append(["items", String(status.items)])
        // What fits 80 columns; the JSON has the rest.
        var keys = TextTable(["KEY", "ACCESSIBLE", "USABLE", "SEALS", "RESIDENCE"])
        for key in status.keys {
            keys.append([
                key.id.accessibility.code, key.id.accessibility.word, key.isUsable ? "yes" : "no", String(key.seals),
                key.residence.name,
            ])
        }
        try console.write(facts.text + "\n" + keys.text + "\n" + status.process.table.text)
    }
}

extension KeychainStatus {
    /// How the token's login is.
    fileprivate var stateWords: String {
        switch lockState {
        case .unlocked: "unlocked"
        case _ where triesLeft == .none: "PIN blocked"
        case .beforeFirstUnlock: "before first unlock"
        case .locked: "locked"
        }
    }

    fileprivate var json: JSON {
        .object([
            ("folder", .string(home)), ("uuid", .string(keychain.description)),
            (
                "token",
                .object([
                    ("label", .string(token.label)), ("manufacturer", .string(token.manufacturer)),
                    ("model", .string(token.model)), ("serial", .string(token.serial)), ("uri", .string(tokenURI)),
                    ("software", .bool(isSoftwareToken)),
                ])
            ),
            ("state", .string(stateWords)), ("pinTriesLeft", triesLeft.words.map { .string($0) } ?? .null),
            ("items", .number(Int64(items))), ("classKeys", .array(keys.map(\.json))), ("process", process.json),
        ])
    }
}

extension KeychainStatus.Key {
    fileprivate var json: JSON {
        .object([
            ("code", .string(id.accessibility.code)), ("accessible", .string(id.accessibility.word)),
            ("usable", .bool(isUsable)), ("suite", .string(suite.name)), ("residence", .string(residence.name)),
            ("generation", .number(Int64(id.generation))), ("seals", .number(Int64(clamping: seals))),
            ("items", .number(Int64(items))), ("needsRotation", .bool(needsRotation)),
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
