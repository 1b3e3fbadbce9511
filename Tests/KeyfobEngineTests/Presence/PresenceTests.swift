// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Items whose access control asks for a person.
@Suite(.lendsTokens) struct PresenceTests {
    @Test func `Adding needs no PIN, and reading needs one`() throws {
        let lab = try PresenceLab()
        #expect(try lab.logins { try lab.add("mail") } == 0)
        #expect(code { _ = try lab.copy("mail") } == .presenceRequired)
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
    }

    @Test(arguments: [[], .attributes, .persistentReference, [.attributes, .persistentReference]] as [ReturnFlags])
    func `A query needs the PIN whatever it returns`(returns: ReturnFlags) throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        #expect(code { _ = try lab.copy("mail", returns: returns) } == .presenceRequired)
        #expect(try lab.copy("mail", lab.pin(), returns: returns).items.count == 1)
    }

    @Test(arguments: [ReturnFlags.data, .attributes, [.data, .attributes]])
    func `A read sends the PIN once`(returns: ReturnFlags) throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let logins = try lab.logins { _ = try lab.copy("mail", lab.pin(), returns: returns) }
        #expect(logins == 1)
    }

    @Test func `Each read needs a PIN of its own`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
        #expect(code { _ = try lab.copy("mail") } == .presenceRequired)
    }

    @Test func `Without a PIN nothing is asked of the token`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let before = lab.keychain.engine.tokenCalls
        #expect(code { _ = try lab.copy("mail") } == .presenceRequired)
        let after = lab.keychain.engine.tokenCalls
        for function in ["C_Login", "C_DecryptInit", "C_Decrypt"] { #expect(before[function] == after[function]) }
    }

    @Test func `A wrong PIN reaches the token once, opens nothing and leaves the keychain unlocked`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let logins = try lab.logins {
            let wrong = try lab.wrongPIN()
            #expect(code { _ = try lab.copy("mail", wrong, returns: [.data, .attributes]) } == .pinIncorrect)
        }
        #expect(logins == 1)
        #expect(lab.keychain.engine.lockState == .unlocked)
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
    }

    @Test func `A refused PIN comes with the tries that are left`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let wrong = try lab.wrongPIN()
        let error = #expect(throws: KeychainError.self) { _ = try lab.copy("mail", wrong) }
        #expect(error?.remedy == .enterCorrectPIN(triesLeft: .few))
        #expect(error?.operation == .copyMatching)
    }

    @Test func `A PIN of a length that the token does not take is not sent`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let short = Credentials(pin: try SecretBytes(copying: [0x31]))
        let logins = lab.logins { #expect(code { _ = try lab.copy("mail", short) } == .pinLength) }
        #expect(logins == 0)
    }

    @Test func `A query for several items sends the PIN once an item`() throws {
        let lab = try PresenceLab()
        for name in ["a", "b", "c"] { try lab.add(name, value: Array(name.utf8)) }
        var found = 0
        let logins = try lab.logins {
            found = try lab.copy(nil, lab.pin(), limit: .all, returns: [.data, .attributes]).items.count
        }
        #expect(found == 3)
        #expect(logins == 3)
    }

    @Test func `The first refusal stops a query for several items`() throws {
        let lab = try PresenceLab()
        for name in ["a", "b", "c"] { try lab.add(name) }
        let wrong = try lab.wrongPIN()
        let logins = lab.logins { #expect(code { _ = try lab.copy(nil, wrong, limit: .all) } == .pinIncorrect) }
        #expect(logins == 1)
    }

    @Test func `An item with rules that ask for nothing needs no PIN`() throws {
        let lab = try PresenceLab()
        try lab.add("mail", flags: 0)
        try lab.add("news", flags: AccessControl.Constraint.or.rawValue)
        #expect(try lab.value("mail", nil) == [1, 2, 3])
        #expect(try lab.value("news", nil) == [1, 2, 3])
    }

    @Test func `An item without a value needs the PIN too`() throws {
        let lab = try PresenceLab()
        try lab.add("mail", value: nil)
        #expect(code { _ = try lab.copy("mail") } == .presenceRequired)
        #expect(try lab.value("mail", lab.pin()) == nil)
    }

    @Test func `Skipping leaves the item out, says how many there are, and serves its neighbours`() throws {
        let lab = try PresenceLab()
        try lab.add("a")
        try lab.add("b", flags: 0)
        try lab.add("c")
        let found = try lab.copy(limit: .all, ui: .skip)
        #expect(found.items.count == 1)
        #expect(found.leftOut == 2)
        #expect(try lab.copy(ui: .skip).items.count == 1)
    }

    @Test func `Skipping everything finds nothing`() throws {
        let lab = try PresenceLab()
        try lab.add("a")
        #expect(code { _ = try lab.copy("a", ui: .skip) } == .itemNotFound)
    }

    @Test func `An ordinary neighbour that comes first is served with a limit of one`() throws {
        let lab = try PresenceLab()
        try lab.add("a", flags: 0, value: [9])
        try lab.add("b")
        let found = try lab.copy()
        #expect(found.withValue(of: found.items[0]) { $0?.array } == [9])
        #expect(code { _ = try lab.copy(limit: .all) } == .presenceRequired)
    }

    @Test func `Deleting needs no PIN, not even while locked`() throws {
        let lab = try PresenceLab()
        try lab.add("a")
        try lab.add("b")
        try lab.service.delete(DeleteRequest(lab.query("a")))
        #expect(code { _ = try lab.copy("a", lab.pin()) } == .itemNotFound)
        try lab.keychain.engine.lock()
        try lab.service.delete(DeleteRequest(lab.query("b")))
        #expect(code { _ = try lab.copy("b") } == .itemNotFound)
    }

    @Test(arguments: Accessibility.allCases)
    func `The PIN does not stand in for the login`(protection: Accessibility) throws {
        let lab = try PresenceLab()
        try lab.add("mail", protection: protection)
        try lab.keychain.engine.lock()
        let pin = try lab.pin()
        let logins = lab.logins { #expect(code { _ = try lab.copy("mail", pin) } == .interactionNotAllowed) }
        #expect(logins == 0)
        try lab.keychain.unlocked()
        #expect(try lab.value("mail", pin) == [1, 2, 3])
    }

    @Test func `A second item of the same key is a duplicate once a person has let it be looked at`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        #expect(code { try lab.add("mail", flags: 0) } == .presenceRequired)
        let wrong = try lab.wrongPIN()
        #expect(code { try lab.add("mail", wrong) } == .pinIncorrect)
        let pin = try lab.pin()
        #expect(code { try lab.add("mail", pin) } == .duplicateItem)
    }

    @Test func `Items survive closing and opening the keychain`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.keychain.reopen()
        try lab.keychain.unlocked()
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
        try lab.add("news")
        #expect(try lab.value("news", lab.pin()) == [1, 2, 3])
    }

    @Test func `The access control comes back with the attributes`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let found = try lab.copy("mail", lab.pin(), returns: .attributes)
        let expected = AccessControl(protection: .whenUnlocked, flags: PresenceLab.presence, hasRules: true)
        #expect(found.items.first?.accessControl == expected)
    }
}
