// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// What an update does to items that need a person.
@Suite(.lendsTokens) struct PresenceUpdateTests {
    @Test func `An update needs the PIN, once, and changes nothing without`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        #expect(code { try lab.update("mail", nil, value: [9]) } == .presenceRequired)
        let wrong = try lab.wrongPIN()
        #expect(code { try lab.update("mail", wrong, value: [9]) } == .pinIncorrect)
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
        #expect(try lab.logins { try lab.update("mail", lab.pin(), value: [9]) } == 1)
        #expect(try lab.value("mail", lab.pin()) == [9])
    }

    @Test func `A change of an attribute keeps the value as it was sealed`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.update("mail", lab.pin(), changes: [.label: .text("new")])
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
        let found = try lab.copy("mail", lab.pin(), returns: .attributes)
        #expect(found.items.first?.attributes?[.label] == .text("new"))
    }

    @Test func `A change of the primary key seals the value anew`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        #expect(try lab.logins { try lab.update("mail", lab.pin(), changes: [.service: .text("post")]) } == 1)
        #expect(code { _ = try lab.copy("post") } == .presenceRequired)
        #expect(try lab.value("post", lab.pin()) == [1, 2, 3])
    }

    @Test func `A plain accessibility takes the constraint away, and its removal needs the PIN`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        #expect(code { try lab.update("mail", nil, accessibility: .afterFirstUnlock) } == .presenceRequired)
        try lab.update("mail", lab.pin(), accessibility: .afterFirstUnlock)
        #expect(try lab.value("mail", nil) == [1, 2, 3])
        let control = try lab.copy("mail", returns: .attributes).items.first?.accessControl
        #expect(control == AccessControl(bare: .afterFirstUnlock))
    }

    @Test func `An access control with flags 0 takes the constraint away`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.update("mail", lab.pin(), flags: 0)
        #expect(try lab.value("mail", nil) == [1, 2, 3])
    }

    @Test func `A constraint that is put on an ordinary item needs no PIN, and holds from then on`() throws {
        let lab = try PresenceLab()
        try lab.add("mail", flags: 0)
        #expect(try lab.logins { try lab.update("mail", nil, flags: PresenceLab.presence) } == 0)
        #expect(code { _ = try lab.copy("mail") } == .presenceRequired)
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
    }

    @Test func `A new password takes the place of the PIN`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.update("mail", lab.password("open sesame", withPIN: true), flags: PresenceLab.password)
        #expect(try lab.value("mail", lab.password("open sesame")) == [1, 2, 3])
        #expect(code { _ = try lab.copy("mail", lab.pin()) } == .applicationPasswordRequired)
    }

    @Test func `Moving a group with such an item says what it needs, and moves nothing`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.add("news", flags: 0)
        let (old, new) = (AccessGroup("test"), AccessGroup("other"))
        #expect(code { _ = try lab.keychain.engine.moveAccessGroup(old, to: new) } == .presenceRequired)
        #expect(try lab.keychain.engine.accessGroups().map(\.group) == [old])
    }

    @Test func `An update of several items changes all or none, with one PIN each`() throws {
        let lab = try PresenceLab()
        for name in ["a", "b"] { try lab.add(name) }
        let query = ItemQuery(itemClass: .genericPassword)
        var request = UpdateRequest(query, changes: [.label: .text("x")])
        request.credentials = try lab.pin()
        let update = request
        let before = lab.keychain.engine.tokenCalls["C_Login"] ?? 0
        try lab.service.update(update)
        #expect((lab.keychain.engine.tokenCalls["C_Login"] ?? 0) - before == 2)
        for name in ["a", "b"] {
            let found = try lab.copy(name, lab.pin(), returns: .attributes)
            #expect(found.items.first?.attributes?[.label] == .text("x"))
        }
    }
}
