// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// A keychain that keeps opened item keys for a while.
@Suite(.lendsTokens) struct KeptItemKeyTests {
    private static func keychain(seconds: Int = 600, audit: AuditPlan = AuditPlan()) throws -> TestKeychain {
        let keychain = try TestKeychain()
        try keychain.configure("item-key-cache", "{\"keys\": 64, \"seconds\": \(seconds)}")
        try keychain.reopen(audit: audit)
        return try keychain.unlocked()
    }

    private static func query(_ service: String) -> ItemQuery {
        ItemQuery(itemClass: .genericPassword, attributes: [.service: .text(service)])
    }

    /// Calls on the token that `body` makes.
    private func calls(_ keychain: TestKeychain, _ body: () throws -> Void) rethrows -> Int {
        let before = keychain.engine.tokenCalls.values.reduce(0, +)
        try body()
        return keychain.engine.tokenCalls.values.reduce(0, +) - before
    }

    @Test func `Without the setting every read is a token operation`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service().add("mail")
        _ = try keychain.service().value("mail")
        #expect(try calls(keychain) { _ = try keychain.service().value("mail") } == 2)
        #expect(try keychain.engine.status().itemKeyCache == nil)
    }

    @Test func `Values that are read again cost no token call, alone and many at once`() throws {
        let keychain = try Self.keychain()
        let service = keychain.service()
        for number in 0..<5 { try service.add("mail", account: "\(number)", value: [UInt8(number)]) }
        let all = MatchRequest(Self.query("mail"), limit: .all, returns: .data)
        _ = try service.copyMatching(all)
        let made = try calls(keychain) { () throws in
            let found = try service.copyMatching(all)
            let values = found.items.map { item in found.withValue(of: item) { $0?.array ?? [] } }
            #expect(values == (0..<5).map { [$0] })
            #expect(try service.value("mail", account: "3") == [3])
        }
        #expect(made == 0)
        let cache = try #require(try keychain.engine.status().itemKeyCache)
        #expect((cache.held, cache.hits, cache.misses) == (5, 6, 5))
    }

    @Test func `A program that may not see an item gets nothing by its key being kept`() throws {
        let keychain = try Self.keychain()
        try keychain.service("one").add("mail", value: [4, 5])
        #expect(try keychain.service("one").value("mail") == [4, 5])
        #expect(code { _ = try keychain.service("other").value("mail") } == .itemNotFound)
    }

    @Test func `A changed value is what is read afterwards`() throws {
        let keychain = try Self.keychain()
        let service = keychain.service()
        try service.add("mail", value: [1])
        for byte in 2..<6 as Range<UInt8> {
            _ = try service.value("mail")
            try service.update(UpdateRequest(Self.query("mail"), value: SecretBytes(copying: [byte])))
            #expect(try keychain.engine.status().itemKeyCache?.held == 0)
            #expect(try service.value("mail") == [byte])
        }
        try service.update(UpdateRequest(Self.query("mail"), changes: [.account: .text("ada")]))
        #expect(try service.value("mail", account: "ada") == [5])
    }

    @Test func `A comment that changes leaves the key, and a deleted item takes it along`() throws {
        let keychain = try Self.keychain()
        let service = keychain.service()
        try service.add("mail", value: [1])
        _ = try service.value("mail")
        try service.update(UpdateRequest(Self.query("mail"), changes: [.comment: .text("x")]))
        #expect(try keychain.engine.status().itemKeyCache?.held == 1)
        try service.delete(DeleteRequest(Self.query("mail")))
        #expect(try keychain.engine.status().itemKeyCache?.held == 0)
        try service.add("mail", value: [2])
        #expect(try service.value("mail") == [2])
    }

    @Test func `An item that moves to another class is read by its new key`() throws {
        let keychain = try Self.keychain()
        let service = keychain.service()
        try service.add("mail", value: [1])
        _ = try service.value("mail")
        try service.update(UpdateRequest(Self.query("mail"), accessibility: .always))
        #expect(try service.value("mail") == [1])
        try keychain.engine.lock()
        let made = try calls(keychain) { () throws in #expect(try service.value("mail") == [1]) }
        #expect(made == 0)
    }

    @Test func `A lock closes what is kept, and an unlock does not bring it back`() throws {
        let keychain = try Self.keychain()
        let service = keychain.service()
        try service.add("mail", value: [1])
        _ = try service.value("mail")
        try keychain.engine.lock()
        #expect(code { _ = try service.value("mail") } == .interactionNotAllowed)
        #expect(try keychain.engine.status().itemKeyCache?.held == 0)
        try keychain.unlocked()
        #expect(try keychain.engine.status().itemKeyCache?.held == 0)
        #expect(try service.value("mail") == [1])
    }

    @Test func `Keys are wiped by themselves when their time is over`() throws {
        let keychain = try Self.keychain(seconds: 1)
        try keychain.service().add("mail")
        _ = try keychain.service().value("mail")
        #expect(try eventually { () throws in try keychain.engine.status().itemKeyCache?.held == 0 })
    }

    @Test func `Each read is in the audit log, whether or not the token was asked`() throws {
        let keychain = try Self.keychain(audit: AuditPlan(standard: .on))
        let service = keychain.engine.service(
            for: Caller(uid: 4711, gid: 100, pid: 42, startTime: 9, executable: nil, unit: nil))
        try service.add("mail")
        for _ in 0..<3 { _ = try service.value("mail") }
        let reads = try keychain.engine.audit(AuditQuery()).filter { $0.event.action == .read }
        #expect(reads.count == 3)
        #expect(reads.allSatisfy { $0.event.givesValue && $0.event.itemCount == 1 })
        #expect(try keychain.engine.status().itemKeyCache?.hits == 2)
    }

    @Test func `Verify has the token open what is kept`() throws {
        let keychain = try Self.keychain()
        try keychain.service().add("mail")
        _ = try keychain.service().value("mail")
        let made = try calls(keychain) { () throws in #expect(try keychain.engine.verify().verified == 1) }
        #expect(made == 2)
        #expect(try keychain.engine.status().itemKeyCache?.hits == 0)
    }
}
