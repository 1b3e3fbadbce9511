// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct LockStateTests {
    @Test func `A value comes back as it was added`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", account: "ann", value: Array(0...255))
        #expect(try service.value("mail", account: "ann") == Array(0...255))
    }

    @Test(arguments: Accessibility.allCases)
    func `Before the first unlock only the always classes can be added to`(accessible: Accessibility) throws {
        let keychain = try TestKeychain()
        let service = keychain.service()
        let isAlways = accessible.availability == .always
        let found = code { _ = try service.add("mail", accessible: accessible) }
        #expect(found == (isAlways ? nil : .interactionNotAllowed))
    }

    @Test(arguments: Accessibility.allCases)
    func `While unlocked every class reads and writes`(accessible: Accessibility) throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", value: [7], accessible: accessible)
        #expect(try service.value("mail") == [7])
    }

    @Test(arguments: Accessibility.allCases)
    func `After a lock only the classes of an unlocked device are refused`(accessible: Accessibility) throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", value: [7], accessible: accessible)
        try keychain.engine.lock()
        let isLocked = accessible.availability == .whileUnlocked
        #expect(code { _ = try service.value("mail") } == (isLocked ? .interactionNotAllowed : nil))
        #expect(
            code { _ = try service.add("news", accessible: accessible) } == (isLocked ? .interactionNotAllowed : nil))
    }

    @Test(arguments: Accessibility.allCases)
    func `A reopened keychain reads the always classes alone until somebody logs in`(accessible: Accessibility) throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service().add("mail", value: [7], accessible: accessible)
        try keychain.reopen()
        let isAlways = accessible.availability == .always
        #expect(
            code { _ = try keychain.service().value("mail") } == (isAlways ? nil : .interactionNotAllowed))
        try keychain.unlocked()
        #expect(try keychain.service().value("mail") == [7])
    }

    @Test(arguments: Accessibility.allCases)
    func `Deleting works while locked`(accessible: Accessibility) throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", accessible: accessible)
        try keychain.engine.lock()
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail")])
        try service.delete(DeleteRequest(query))
        #expect(code { try service.delete(DeleteRequest(query)) } == .itemNotFound)
    }

    @Test func `A brief login makes the after-first-unlock keys at the lock if nothing did before`() throws {
        let keychain = try TestKeychain()
        try keychain.engine.unlock(keychain.token.pin(), isBrief: true)
        #expect(keychain.engine.tokenCalls["C_UnwrapKey"] ?? 0 == 0)
        try keychain.engine.lock()
        let service = keychain.service()
        try service.add("mail", value: [7], accessible: .afterFirstUnlock)
        #expect(try service.value("mail") == [7])
    }

    @Test func `A closed keychain has no class key left that a login brought`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", value: [7])
        keychain.engine.close()
        #expect(code { _ = try service.value("mail") } != nil)
        #expect(keychain.engine.lockState == .beforeFirstUnlock)
        try keychain.reopen()
    }

    @Test func `A wrong PIN reaches the token once and leaves the keychain as it was`() throws {
        let keychain = try TestKeychain()
        let wrong = try keychain.token.wrongPIN()
        #expect(code { try keychain.engine.unlock(wrong) } == .pinIncorrect)
        #expect(keychain.engine.lockState == .beforeFirstUnlock)
        #expect(keychain.engine.tokenCalls["C_Login"] == 1)
    }
}
