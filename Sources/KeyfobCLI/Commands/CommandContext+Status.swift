// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWords

extension CommandContext {
    /// `keyfob status`: what can be said without a PIN.
    func status() throws(Failure) {
        try withKeychain { (keychain) throws(Failure) in
            try show(
                try failing { () throws(KeychainError) in try keychain.status() },
                try failing { () throws(KeychainError) in try keychain.daemonStatus() })
        }
    }

    /// Prints a report as text or JSON.
    ///
    /// - Parameter daemon: What has it open, or nil: this process.
    func show(_ status: KeychainStatus, _ daemon: DaemonStatus? = nil) throws(Failure) {
        guard !wantsJSON else { return try console.write(status.json(daemon).text + "\n") }
        var facts = TextTable(["keychain", status.home])
        facts.append(["uuid", status.keychain.description])
        facts.append(["token", status.token.words])
        if status.isModuleIsolated { facts.append(["module", "isolated: it runs in a process of its own"]) }
        facts.append(["state", status.stateWords + status.lockWords])
        // Of a lock the reason stands beside the state, and what to do beside the time.
        if status.lastingLock == nil {
            if let reason = status.reason { facts.append(["reason", reason]) }
            if let next = status.nextStep { facts.append(["next", next]) }
        }
        if let last = status.lastingLock {
            facts.append(["locked at", "\(Timestamp.text(last.time)); keyfob unlock unlocks it"])
        }
        if let triggers = status.triggers { facts.append(["locks itself", triggers.words]) }
        if let tries = status.triesLeft.words { facts.append(["PIN tries", tries]) }
        facts.append(["items", String(status.items)])
        if let presence = status.presence { facts.append(["presence", presence.words]) }
        if let cache = status.itemKeyCache { facts.append(["item keys", cache.words]) }
        if let daemon { facts.append(["daemon", daemon.words]) }
        // What fits 80 columns; the JSON has the rest.
        var keys = TextTable(["KEY", "ACCESSIBLE", "USABLE", "SEALS", "RESIDENCE"])
        for key in status.keys {
            keys.append([
                key.id.accessibility.code, key.id.accessibility.word, key.isUsable ? "yes" : "no", String(key.seals),
                key.residence.name(of: key.id.accessibility),
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
        case .noToken: "no token"
        case _ where lacksUserPIN: "no user PIN"
        case _ where isBlocked: "PIN blocked"
        case .beforeFirstUnlock: "before first unlock"
        case .locked: "locked"
        }
    }

    /// Why it is locked, after a colon; empty unless that is its state.
    fileprivate var lockWords: String {
        guard lastingLock != nil, let reason else { return "" }
        return ": " + reason
    }

    /// The last lock, if the keychain is locked by it and an unlock can end it.
    fileprivate var lastingLock: LastLock? {
        lockState == .locked && !isBlocked && !lacksUserPIN ? lastLock : nil
    }

    /// Whether the token refuses every PIN, and somebody has to do something about it.
    private var isBlocked: Bool { lockState != .noToken && lockState != .unlocked && triesLeft == .none }

    /// Why it is not unlocked; nil if it is.
    fileprivate var reason: String? {
        switch lockState {
        case .unlocked: nil
        case .noToken: absence.map { Failure($0).what } ?? "the token does not answer"
        case _ where lacksUserPIN: "the token has no user PIN: nobody can log in"
        case _ where isBlocked: "too many wrong PINs: the token takes none any more"
        case .beforeFirstUnlock: "nobody has logged in since the keychain was opened or its token came back"
        case .locked: lastLock?.reason.words(idleSeconds: triggers?.idleSeconds)
        }
    }

    /// What the person should do next; nil if it is unlocked.
    fileprivate var nextStep: String? {
        switch lockState {
        case .unlocked: nil
        case .noToken: (absence?.remedy ?? .insertToken).words
        case _ where lacksUserPIN || isBlocked: KeychainError.Remedy.unblockWithSO.words
        case .beforeFirstUnlock, .locked: "keyfob unlock unlocks it"
        }
    }

    fileprivate func json(_ daemon: DaemonStatus?) -> JSON {
        .object(members(daemon))
    }

    private func members(_ daemon: DaemonStatus?) -> [(String, JSON)] {
        let found = presence.map { [("presence", JSON.string($0.word))] } ?? []
        let first: [(String, JSON)] = [
            ("folder", .string(home)), ("uuid", .string(keychain.description)),
            (
                "token",
                .object([
                    ("label", .string(token.label)), ("manufacturer", .string(token.manufacturer)),
                    ("model", .string(token.model)), ("serial", .string(token.serial)), ("uri", .string(tokenURI)),
                    ("software", .bool(isSoftwareToken)), ("isolated", .bool(isModuleIsolated)),
                ])
            ),
            ("state", .string(stateWords)), ("reason", reason.map { .string($0) } ?? .null),
            ("nextStep", nextStep.map { .string($0) } ?? .null),
            ("pinTriesLeft", triesLeft.words.map { .string($0) } ?? .null),
            ("items", .number(Int64(items))),
        ]
        return first + found + [
            ("classKeys", .array(keys.map(\.json))), ("process", process.json), ("daemon", daemon?.json ?? .null),
            ("lastLock", lastLock?.json ?? .null), ("autoLock", triggers?.json ?? .null),
            ("itemKeyCache", itemKeyCache?.json ?? .null),
        ]
    }
}

extension LastLock {
    fileprivate var json: JSON {
        .object([("reason", .string(reason.word)), ("time", .string(Timestamp.text(time)))])
    }
}

extension ItemKeyCacheStatus {
    /// What an admin agreed to, and what comes of it.
    fileprivate var words: String {
        "\(held) of at most \(limit.keys) in memory, each for \(limit.seconds) s; \(hits) of \(hits + misses) reads without the "
            + "token"
    }

    fileprivate var json: JSON {
        .object([
            ("keys", .number(Int64(limit.keys))), ("seconds", .number(Int64(limit.seconds))),
            ("held", .number(Int64(held))), ("hits", .number(Int64(hits))), ("misses", .number(Int64(misses))),
        ])
    }
}

extension LockTriggers {
    fileprivate var json: JSON {
        .object([
            ("idleSeconds", idleSeconds.map { .number(Int64($0)) } ?? .null), ("suspend", .string("\(suspend)")),
        ])
    }
}

extension DaemonStatus {
    fileprivate var words: String {
        let load = "\(connections) connected" + (queued > 0 ? ", \(queued) waiting" : "")
        let stuck = stuckWorkers > 0 ? ", \(stuckWorkers) STUCK in the token" : ""
        return "\(Printable.text(socket)), up \(Self.span(uptime)), \(load)\(stuck)"
    }

    fileprivate var json: JSON {
        .object([
            ("socket", .string(socket)), ("uptimeSeconds", .number(Int64(uptime))),
            ("connections", .number(Int64(connections))), ("queued", .number(Int64(queued))),
            ("stuckWorkers", .number(Int64(stuckWorkers))),
        ])
    }

    /// The two largest units of a span of seconds.
    private static func span(_ seconds: Double) -> String {
        let whole = Int(seconds)
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(whole % 60) s"
        case ..<86400: return "\(whole / 3600) h \(whole % 3600 / 60) min"
        default: return "\(whole / 86400) d \(whole % 86400 / 3600) h"
        }
    }
}

extension KeychainStatus.Presence {
    fileprivate var word: String {
        switch self {
        case .enforced: "enforced"
        case .refused: "refused"
        }
    }

    fileprivate var words: String {
        switch self {
        case .enforced: "the token asks for the PIN at each use of an item that needs a person"
        case .refused:
            "no items that need a person: the token does not ask for the PIN at each use, or config.json says so"
        }
    }
}

extension KeychainStatus.Key {
    fileprivate var json: JSON {
        .object([
            ("code", .string(id.accessibility.code)), ("accessible", .string(id.accessibility.word)),
            ("usable", .bool(isUsable)), ("suite", .string(suite.name)),
            ("residence", .string(residence.name(of: id.accessibility))),
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
