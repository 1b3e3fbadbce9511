// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// Why a keychain is locked, and what counts as using one that is not.
@Suite(.lendsTokens) struct LockReasonTests {
    private func status(_ keychain: TestKeychain) throws -> LastLock? { try keychain.engine.status().lastLock }

    @Test(arguments: LockReason.allCases)
    func `The status names the reason and the time of the last lock`(reason: LockReason) throws {
        let keychain = try TestKeychain().unlocked()
        #expect(try status(keychain) == nil)
        let before = WallClock.now()
        try keychain.engine.lock(reason)
        let last = try #require(try status(keychain))
        #expect(last.reason == reason)
        #expect((before...WallClock.now()).contains(last.time))
    }

    @Test func `A lock of a locked keychain changes neither reason nor time`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.engine.lock(.idle)
        let last = try status(keychain)
        for reason in LockReason.allCases { try keychain.engine.lock(reason) }
        #expect(try status(keychain) == last)
    }

    @Test func `A lock before the first unlock is none`() throws {
        let keychain = try TestKeychain()
        try keychain.engine.lock(.suspend)
        #expect(try status(keychain) == nil)
    }

    @Test func `A keychain that is closed was locked by the end of its process`() throws {
        let keychain = try TestKeychain().unlocked()
        let engine = keychain.engine
        engine.close()
        #expect(engine.lastLock?.reason == .daemonEnd)
    }

    @Test func `A lock that nobody asked for is in the audit log with its reason, another one without`() throws {
        let keychain = try TestKeychain()
        try keychain.reopen(audit: AuditPlan(standard: .on))
        for reason in LockReason.allCases {
            try keychain.unlocked()
            try keychain.engine.lock(reason)
        }
        let locks = try keychain.engine.audit(AuditQuery()).map(\.event).filter { $0.action == .lock }
        #expect(locks.map(\.lockReason) == LockReason.allCases.map { $0 == .explicit ? nil : $0 })
        #expect(try keychain.engine.verifyAudit { _, _ in }.findings.isEmpty)
    }

    @Test func `What happens by itself to a locked keychain is no line of the audit log`() throws {
        let keychain = try TestKeychain()
        try keychain.reopen(audit: AuditPlan(standard: .on))
        try keychain.unlocked()
        for reason in [LockReason.idle, .suspend, .idle] { try keychain.engine.lock(reason) }
        let locks = try keychain.engine.audit(AuditQuery()).map(\.event).filter { $0.action == .lock }
        #expect(locks.map(\.lockReason) == [.idle])
    }

    // MARK: - Use

    @Test func `An unlock is a use, and is noted once`() throws {
        let keychain = try TestKeychain().unlocked()
        #expect(keychain.engine.takeUse())
        #expect(!keychain.engine.takeUse())
    }

    @Test(arguments: Accessibility.allCases)
    func `Adding and reading are uses if a lock would have refused them`(accessible: Accessibility) throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        let isUse = accessible.availability == .whileUnlocked
        _ = keychain.engine.takeUse()
        try service.add("mail", value: [7], accessible: accessible)
        #expect(keychain.engine.takeUse() == isUse)
        #expect(try service.value("mail") == [7])
        #expect(keychain.engine.takeUse() == isUse)
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail")])
        _ = try service.copyMatching(MatchRequest(query, returns: .attributes))
        #expect(keychain.engine.takeUse() == isUse)
        try service.update(UpdateRequest(query, changes: [.comment: .text("x")]))
        #expect(keychain.engine.takeUse() == isUse)
    }

    @Test func `Asking for what is not there, for the status and for the groups is no use`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service().add("mail", value: [7], accessible: .whenUnlocked)
        _ = keychain.engine.takeUse()
        #expect(code { _ = try keychain.service().value("news") } == .itemNotFound)
        _ = try keychain.engine.status()
        _ = try keychain.engine.accessGroups()
        #expect(!keychain.engine.takeUse())
    }
}
