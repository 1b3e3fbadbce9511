// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Many threads on one keychain.
@Suite(.lendsTokens) struct ConcurrencyTests {
    private static let workers = 8
    private static let rounds = 40

    /// What the threads found out.
    private struct Ledger: Sendable {
        /// Value by account of what was added, or changed, and acknowledged, and not deleted.
        var kept: [String: [UInt8]] = [:]
        var refused: [KeychainError] = []
        var acknowledged = 0
    }

    /// What may be answered while somebody else locks, unlocks and changes items.
    private static let expected: Set<KeychainError.Code> = [.interactionNotAllowed, .itemNotFound, .duplicateItem]

    private func query(_ account: String) -> ItemQuery {
        ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("threads"), .account: .text(account)])
    }

    /// One worker's turn: its own items are nobody else's, so it knows what they hold; the item `shared` is everybody's.
    private func work(_ worker: Int, _ service: any KeychainService, _ ledger: Shared<Ledger>) {
        for round in 0..<Self.rounds {
            let account = "\(worker)/\(round)"
            let value = Array(account.utf8)
            attempt(ledger) {
                // Half of the workers go on while the keychain is locked.
                try service.add(
                    "threads", account: account, value: value,
                    accessible: worker % 2 == 0 ? .whenUnlocked : .afterFirstUnlock)
                ledger.change { $0.kept[account] = value }
            }
            let earlier = "\(worker)/\(round / 2)"
            attempt(ledger) {
                let found = try service.value("threads", account: earlier)
                let known = ledger.now.kept[earlier]
                guard found == known else { throw KeychainError(.storeDamaged, .copyMatching) }
            }
            if round % 4 == 1 {
                attempt(ledger) {
                    try service.update(UpdateRequest(query(earlier), value: SecretBytes(copying: [1] + value)))
                    ledger.change { $0.kept[earlier] = [1] + value }
                }
            }
            if round % 5 == 4 {
                attempt(ledger) {
                    try service.delete(DeleteRequest(query(account)))
                    ledger.change { $0.kept[account] = nil }
                }
            }
            attempt(ledger) { try service.add("shared", account: "one", value: value) }
            attempt(ledger) {
                let shared = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("shared")])
                try service.update(UpdateRequest(shared, changes: [.label: .text(account)]))
            }
        }
    }

    private func attempt(_ ledger: Shared<Ledger>, _ body: () throws -> Void) {
        do {
            try body()
            ledger.change { $0.acknowledged += 1 }
        } catch let error as KeychainError {
            ledger.change { $0.refused.append(error) }
        } catch {
            ledger.change { $0.refused.append(KeychainError(.internalError, .verify)) }
        }
    }

    /// Runs the workers, one more thread that does `beside` until they are done, and checks what is left.
    private func run(_ beside: @escaping @Sendable (TestKeychain) throws -> Void) throws {
        let keychain = try TestKeychain().unlocked()
        let ledger = Shared(Ledger())
        let running = Shared(Self.workers)
        let unsafeKeychain = Unchecked(keychain)
        let service = keychain.service()
        Threads.run(Self.workers + 1) { index in
            guard index < Self.workers else {
                while running.now > 0 {
                    do { try beside(unsafeKeychain.value) } catch { Issue.record(error) }
                }
                return
            }
            work(index, service, ledger)
            running.change { $0 -= 1 }
        }
        try keychain.unlocked()
        let result = ledger.now
        for error in result.refused where !Self.expected.contains(error.code) { Issue.record(error) }
        #expect(result.acknowledged > 0)
        for (account, value) in result.kept {
            do {
                #expect(try service.value("threads", account: account) == value)
            } catch {
                Issue.record(error, "\(account) is lost")
            }
        }
        #expect(!result.kept.isEmpty)
        let all = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("threads")])
        #expect(
            try service.copyMatching(MatchRequest(all, limit: .all, returns: .attributes)).items.count
                == result.kept.count)
        let report = try keychain.engine.verify()
        #expect(report.findings == [])
        #expect(report.locked == 0)
    }

    @Test func `Eight threads that add, read, change and delete lose nothing`() throws {
        try run { _ in }
    }

    @Test func `Eight threads lose nothing while another locks and unlocks`() throws {
        try run { keychain in
            try keychain.engine.lock()
            try keychain.engine.unlock(keychain.token.pin())
        }
    }

    @Test func `Of eight threads that add one item, one succeeds`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        let outcomes = Shared<[KeychainError.Code?]>([])
        Threads.run(8) { index in
            let outcome = code { try service.add("one", account: "ann", value: [UInt8(index)]) }
            outcomes.change { $0.append(outcome) }
        }
        #expect(outcomes.now.filter { $0 == nil }.count == 1)
        #expect(outcomes.now.filter { $0 == .duplicateItem }.count == 7)
    }

    @Test func `Of eight threads that unlock, one sends its PIN`() throws {
        let keychain = try TestKeychain()
        let unsafeKeychain = Unchecked(keychain)
        let before = keychain.engine.tokenCalls["C_Login"] ?? 0
        Threads.run(8) { _ in
            do { try unsafeKeychain.value.unlocked() } catch { Issue.record(error) }
        }
        #expect((keychain.engine.tokenCalls["C_Login"] ?? 0) == before + 1)
    }
}

/// Carries a test keychain to other threads.
private struct Unchecked: @unchecked Sendable {
    // @unchecked: the test reopens nothing while threads run, so all they touch is the engine, which is Sendable.
    let value: TestKeychain

    init(_ value: TestKeychain) {
        self.value = value
    }
}
