// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct AccessGroupTests {
    @Test func `The owner sees every group that holds items`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service("b").add("mail")
        try keychain.service("a").add("mail")
        try keychain.service("a").add("news")
        let groups = try keychain.engine.accessGroups()
        #expect(groups.map(\.group.name) == ["a", "b"])
        #expect(groups.map(\.items) == [2, 1])
    }

    @Test func `A group whose last item was removed is not listed`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service("a")
        try service.add("mail")
        try service.delete(DeleteRequest(ItemQuery(itemClass: .genericPassword)))
        #expect(try keychain.engine.accessGroups().isEmpty)
    }

    @Test func `Items of a moved group are seen by the new identifier and not by the old`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service("old").add("mail", value: [7])
        try keychain.service("old").add("news", value: [8], accessible: .always)
        #expect(try keychain.engine.moveAccessGroup(AccessGroup("old"), to: AccessGroup("new")) == 2)
        #expect(try keychain.service("new").value("mail") == [7])
        #expect(try keychain.service("new").value("news") == [8])
        #expect(code { _ = try keychain.service("old").value("mail") } == .itemNotFound)
    }

    @Test func `Moving onto an item of the same key moves nothing`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service("old").add("mail", value: [7])
        try keychain.service("old").add("news", value: [8])
        try keychain.service("new").add("mail", value: [9])
        let move = { _ = try keychain.engine.moveAccessGroup(AccessGroup("old"), to: AccessGroup("new")) }
        #expect(code(move) == .duplicateItem)
        #expect(try keychain.service("old").value("news") == [8])
        #expect(try keychain.service("new").value("mail") == [9])
    }

    @Test func `Moving a group needs a login, as its items are sealed anew`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service("old").add("mail")
        try keychain.engine.lock()
        let move = { _ = try keychain.engine.moveAccessGroup(AccessGroup("old"), to: AccessGroup("new")) }
        #expect(code(move) == .interactionNotAllowed)
    }

    @Test func `Moving a group that holds nothing says so`() throws {
        let keychain = try TestKeychain().unlocked()
        let move = { _ = try keychain.engine.moveAccessGroup(AccessGroup("old"), to: AccessGroup("new")) }
        #expect(code(move) == .itemNotFound)
    }

    @Test func `Nothing moves into the group that token drivers publish`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service("old").add("mail")
        let move = { _ = try keychain.engine.moveAccessGroup(AccessGroup("old"), to: .token) }
        #expect(code(move) == .missingEntitlement)
    }
}
