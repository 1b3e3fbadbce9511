// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// What of the operations of a keychain gets into its log.
@Suite(.lendsTokens) struct AuditServiceTests {
    private let keychain: TestKeychain
    private static let shop = Caller(
        uid: 4711, gid: 100, pid: 42, startTime: 9, executable: "/usr/bin/shop", unit: "shop.service")

    init() throws {
        keychain = try TestKeychain()
        try keychain.reopen(audit: AuditPlan(standard: .on))
        try keychain.unlocked()
    }

    /// The keychain as the shop sees it.
    private var shop: any KeychainService { keychain.engine.service(for: Self.shop) }

    private func records(_ query: AuditQuery = AuditQuery()) throws -> [AuditRecord] {
        try keychain.engine.audit(query)
    }

    /// What was done to items.
    private func accesses() throws -> [AuditRecord] { try records().filter { $0.event.itemClass != nil } }

    private static func item(_ name: String, _ account: String? = nil) -> AuditQuery {
        AuditQuery(item: .init(name: WipedBytes(utf8: name), account: account.map { WipedBytes(utf8: $0) }))
    }

    @Test func `Each operation is a line with its caller, item, group and result`() throws {
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail")])
        try shop.add("mail", account: "ada", value: [1])
        _ = try shop.value("mail")
        _ = try shop.copyMatching(MatchRequest(query, returns: .attributes))
        try shop.update(UpdateRequest(query, changes: [.comment: .text("x")]))
        let uuid = try #require(try accesses().first?.event.items.first)
        let before = try accesses()
        #expect(before.map(\.event.action) == [.add, .read, .find, .update])
        #expect(before.allSatisfy { $0.event.items == [uuid] && $0.event.itemCount == 1 && $0.event.result == nil })
        #expect(before.allSatisfy { $0.event.caller == Self.shop && $0.event.microseconds > 0 })
        #expect(before.allSatisfy { $0.groups == [AccessGroup("user.4711")] })
        #expect(before.map(\.event.givesValue) == [false, true, false, false])
        #expect(
            before.first?.items == [.init(uuid: uuid, name: WipedBytes(utf8: "mail"), account: WipedBytes(utf8: "ada"))]
        )
        try shop.delete(DeleteRequest(query))
        let last = try #require(try accesses().last)
        #expect(last.event.action == .delete)
        #expect(last.event.items == [uuid])
        // It is gone, and so is its name.
        #expect(last.items == [.init(uuid: uuid)])
    }

    @Test func `What was not found, or refused, is a line with the code`() throws {
        #expect(code { _ = try shop.value("nothing") } == .itemNotFound)
        try shop.add("mail")
        #expect(code { try shop.add("mail") } == .duplicateItem)
        try keychain.engine.lock()
        #expect(code { _ = try shop.value("mail") } == .interactionNotAllowed)
        #expect(
            try accesses().map(\.event.result) == [.itemNotFound, nil, .duplicateItem, .interactionNotAllowed])
    }

    @Test func `What concerns the keychain as a whole is recorded with who asked`() throws {
        let owner = keychain.engine.administration(for: Self.shop)
        try owner.lock()
        #expect(code { try owner.unlock(keychain.token.wrongPIN(), finalTry: false) } == .pinIncorrect)
        try owner.unlock(keychain.token.pin(), finalTry: false)
        try shop.add("mail")
        _ = try owner.moveAccessGroup(AccessGroup("user.4711"), to: AccessGroup("other"))
        _ = try owner.verify { _, _ in }
        try keychain.engine.record(AccessEvent(.reload))
        let found = try records().filter { $0.event.itemClass == nil && $0.note == nil }.dropFirst(2)
        #expect(found.map(\.event.action) == [.lock, .unlock, .unlock, .move, .verify, .reload])
        #expect(found.map(\.event.result) == [nil, .pinIncorrect, nil, nil, nil, nil])
        #expect(found.prefix(5).allSatisfy { $0.event.caller == Self.shop })
        #expect(found.first { $0.event.action == .move }?.groups.contains(AccessGroup("other")) == true)
    }

    @Test func `A start and a stop are lines of the keychain itself`() throws {
        try keychain.reopen(audit: AuditPlan(standard: .on))
        let own = try records().filter { $0.note == nil && $0.event.caller == nil }.map(\.event.action)
        #expect(own == [.start, .unlock, .stop, .start])
    }

    // MARK: - Asking

    @Test func `Who looked for an item is told, found or not`() throws {
        #expect(code { _ = try shop.value("mail", account: "ada") } == .itemNotFound)
        try shop.add("mail", account: "ada")
        try shop.add("mail", account: "bob")
        try shop.add("news", account: "ada")
        _ = try shop.value("mail", account: "ada")
        #expect(try records(Self.item("mail", "ada")).map(\.event.action) == [.read, .add, .read])
        #expect(try records(Self.item("mail")).map(\.event.action) == [.read, .add, .add, .read])
        #expect(try records(Self.item("mail", "eve")).isEmpty)
    }

    @Test func `An access by reference belongs to the item, also when it was renamed or removed since`() throws {
        let added = try shop.add("mail", account: "ada", returns: .persistentReference)
        let reference = try #require(added.items[0].persistentReference)
        let query = ItemQuery(itemClass: .genericPassword, persistentReference: reference)
        try shop.update(UpdateRequest(query, changes: [.account: .text("eve")]))
        _ = try shop.copyMatching(MatchRequest(query, returns: .data))
        try shop.delete(DeleteRequest(query))
        #expect(code { _ = try shop.copyMatching(MatchRequest(query, returns: .data)) } == .itemNotFound)
        #expect(try records(Self.item("mail", "ada")).map(\.event.action) == [.add, .update, .read, .delete, .read])
    }

    @Test func `Lines of a caller are found by user, unit and program`() throws {
        try shop.add("mail")
        let other = Caller(uid: 0, gid: 0, pid: 43, executable: "/usr/bin/cron", unit: nil)
        try keychain.engine.service(for: other).add("news")
        for text in ["4711", "shop.service", "shop", "/usr/bin/shop"] {
            #expect(try records(AuditQuery(caller: text)).map(\.event.action) == [.add], "\(text)")
        }
        #expect(try records(AuditQuery(caller: "root")).map(\.event.caller) == [other])
        #expect(try records(AuditQuery(caller: "sho")).isEmpty)
    }

    @Test func `Lines since a moment are those at or after it`() throws {
        try shop.add("mail")
        let all = try records()
        let moment = try #require(all.last).time
        #expect(try records(AuditQuery(since: moment)).first?.sequence == all.last?.sequence)
        #expect(try records(AuditQuery(since: WallClock.now() + 3600)).isEmpty)
    }

    @Test func `Pages put together are the whole`() throws {
        for number in 0..<30 { try shop.add("mail", account: "\(number)", accessible: .always) }
        var query = AuditQuery(caller: "4711", limit: 7)
        var found: [AuditRecord] = []
        while true {
            let page = try records(query)
            #expect(page.count <= 7)
            found += page
            guard page.count == 7, let last = page.last else { break }
            query.after = last.sequence
        }
        #expect(found.map(\.sequence) == (try records(AuditQuery(caller: "4711")).map(\.sequence)))
        #expect(found.count == 30)
    }

    @Test func `A name that cannot be opened now is left out, the line is not`() throws {
        try shop.add("mail", account: "ada")
        try keychain.engine.lock()
        let found = try #require(try accesses().first)
        #expect(found.items.first?.name == nil)
        #expect(found.items.count == 1)
    }

    // MARK: - What it costs and shows

    @Test func `An audited query for attributes makes no token call`() throws {
        try shop.add("mail", returns: .attributes)
        let before = keychain.engine.tokenCalls
        _ = try shop.copyMatching(
            MatchRequest(
                ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail")]), returns: .attributes))
        #expect(keychain.engine.tokenCalls == before)
    }

    @Test func `No value, account, service, label or group is in the files of the log`() throws {
        let service = keychain.engine.service(with: Entitlements(applicationIdentifier: "canary-group"))
        try service.add("canary-service", account: "canary-account", value: Array("canary-value".utf8))
        _ = try service.value("canary-service")
        #expect(code { _ = try service.value("canary-missing") } == .itemNotFound)
        let folder = keychain.home.path + "/audit"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(try !String(contentsOfFile: folder + "/" + name, encoding: .utf8).contains("canary"))
        }
    }

    @Test func `A keychain that does not record has no folder for it`() throws {
        let plain = try TestKeychain().unlocked()
        try plain.service().add("mail")
        #expect(!FileManager.default.fileExists(atPath: plain.home.path + "/audit"))
        #expect(try plain.engine.audit(AuditQuery()).isEmpty)
        #expect(try plain.engine.verifyAudit() == AuditVerification())
    }

    @Test(arguments: ["off", "on", "require"])
    func `The configuration decides before the program does`(setting: String) throws {
        let file = keychain.home.path + "/config.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacingOccurrences(of: "{\n", with: "{\n  \"audit\": \"\(setting)\",\n").write(
            toFile: file, atomically: false, encoding: .utf8)
        try keychain.reopen(audit: AuditPlan(standard: setting == "off" ? .on : .off))
        let count = try records().count
        try keychain.engine.record(AccessEvent(.reload))
        let grown = try records().count > count
        #expect(grown == (setting != "off"))
    }

    @Test func `A keychain that requires the log does not open without it`() throws {
        unsafe chmod(keychain.home.path + "/audit", 0o755)
        #expect(code { try keychain.reopen(audit: AuditPlan(standard: .require)) } == .permissions)
        #expect(code { try keychain.reopen(audit: AuditPlan(standard: .on)) } == nil)
    }

    // MARK: - Verifying

    @Test func `A log that the token sealed verifies, in every lock state`() throws {
        try shop.add("mail")
        try keychain.engine.lock()
        let locked = try keychain.engine.verifyAudit()
        #expect(locked.findings.isEmpty)
        #expect(locked.checkpoints == 2)
        try keychain.reopen(audit: AuditPlan(standard: .on))
        let fresh = try keychain.engine.verifyAudit()
        #expect(fresh.findings.isEmpty)
        #expect(fresh.checkpoints == 3)
    }

    @Test func `The seal of another keychain's token is forged`() throws {
        let other = try TestKeychain()
        try other.reopen(audit: AuditPlan(standard: .on))
        try other.unlocked()
        let mine = keychain.home.path + "/audit/audit.log"
        keychain.engine.close()
        other.engine.close()
        let foreign = try String(contentsOfFile: other.home.path + "/audit/audit.log", encoding: .utf8)
        let seal = try #require(foreign.firstMatch(of: /"seal":"[0-9a-f]+"/)).output
        let text = try String(contentsOfFile: mine, encoding: .utf8)
        let own = try #require(text.firstMatch(of: /"seal":"[0-9a-f]+"/)).output
        try text.replacing(own, with: seal).write(toFile: mine, atomically: false, encoding: .utf8)
        try keychain.reopen()
        #expect(try keychain.engine.verifyAudit().findings.map(\.fault).contains(.forged))
    }

    @Test func `A log that was cut short while the keychain was closed is found by the token's seal in the store`()
        throws
    {
        try shop.add("mail")
        keychain.engine.close()
        let mine = keychain.home.path + "/audit/audit.log"
        let lines = try String(contentsOfFile: mine, encoding: .utf8).split(separator: "\n")
        try (lines.dropLast(2).joined(separator: "\n") + "\n").write(toFile: mine, atomically: false, encoding: .utf8)
        try keychain.reopen()
        #expect(try keychain.engine.verifyAudit().findings.map(\.fault) == [.truncated])
        try keychain.reopen(audit: AuditPlan(standard: .on))
        #expect(try keychain.engine.verifyAudit().findings.map(\.fault) == [.removed, .recovered])
    }

    @Test func `A page after the greatest number is empty`() throws {
        #expect(try records(AuditQuery(after: .max)).isEmpty)
    }

    @Test func `Accesses are told to the sink with the number of their line`() throws {
        final class Sink: AuditSink {
            let told = Shared<[UInt64: AuditAction]>([:])
            func note(_ event: AccessEvent, sequence: UInt64) { told.change { $0[sequence] = event.action } }
        }
        let sink = Sink()
        try keychain.reopen(audit: AuditPlan(standard: .on, sink: sink))
        try keychain.unlocked()
        try shop.add("mail")
        let logged = try records(AuditQuery(after: 1)).filter { $0.note == nil }
        for (sequence, action) in sink.told.now {
            #expect(logged.first { $0.sequence == sequence }?.event.action == action)
        }
        #expect(sink.told.now.values.contains(.add))
    }
}
