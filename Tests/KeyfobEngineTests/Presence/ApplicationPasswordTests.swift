// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Items whose access control asks for a password of the program's.
@Suite(.lendsTokens) struct ApplicationPasswordTests {
    /// A keychain whose token has no presence key: a password alone needs none.
    private static func add(
        _ keychain: TestKeychain, _ credentials: Credentials?, _ name: String = "mail"
    ) throws {
        var request = AddRequest(
            itemClass: .genericPassword, attributes: [.service: .text(name)],
            accessControl: AccessControl(
                protection: .whenUnlocked, flags: AccessControl.Constraint.applicationPassword.rawValue, hasRules: true),
            value: try SecretBytes(copying: [5, 6]))
        request.credentials = credentials
        _ = try keychain.service().add(request)
    }

    private static func value(_ keychain: TestKeychain, _ credentials: Credentials?) throws -> [UInt8]? {
        var request = MatchRequest(
            ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("mail")]),
            returns: [.data, .attributes])
        request.credentials = credentials
        let result = try keychain.service().copyMatching(request)
        return result.withValue(of: result.items[0]) { $0?.array }
    }

    private static func password(_ text: String) throws -> Credentials {
        Credentials(applicationPassword: try SecretBytes(copying: Array(text.utf8)))
    }

    @Test func `The right password opens, and needs neither a PIN nor a presence key`() throws {
        let keychain = try TestKeychain().unlocked()
        let before = keychain.engine.tokenCalls["C_Login"]
        try Self.add(keychain, Self.password("open sesame"))
        #expect(try Self.value(keychain, Self.password("open sesame")) == [5, 6])
        #expect(keychain.engine.tokenCalls["C_Login"] == before)
    }

    @Test func `A wrong password is told as one`() throws {
        let keychain = try TestKeychain().unlocked()
        try Self.add(keychain, Self.password("open sesame"))
        let wrong = try Self.password("open barley")
        #expect(code { _ = try Self.value(keychain, wrong) } == .applicationPasswordIncorrect)
    }

    @Test func `A missing password is asked for, when adding and when reading`() throws {
        let keychain = try TestKeychain().unlocked()
        #expect(code { try Self.add(keychain, nil) } == .applicationPasswordRequired)
        try Self.add(keychain, Self.password("open sesame"))
        #expect(code { _ = try Self.value(keychain, nil) } == .applicationPasswordRequired)
    }

    @Test func `The class key is needed besides`() throws {
        let keychain = try TestKeychain().unlocked()
        try Self.add(keychain, Self.password("open sesame"))
        try keychain.engine.lock()
        let right = try Self.password("open sesame")
        #expect(code { _ = try Self.value(keychain, right) } == .interactionNotAllowed)
    }

    @Test func `Two items of one password have different salts`() throws {
        let keychain = try TestKeychain().unlocked()
        try Self.add(keychain, Self.password("open sesame"))
        try Self.add(keychain, Self.password("open sesame"), "news")
        keychain.engine.close()
        let editor = try StoreEditor(keychain.home.path + "/keychain.db")
        #expect(Set(try editor.rows("SELECT hex(substr(metadata, 9, 20)) FROM items")).count == 2)
        try keychain.reopen()
    }

    @Test func `With presence both are needed, and a missing password costs no PIN`() throws {
        let lab = try PresenceLab()
        let flags = PresenceLab.presence | PresenceLab.password
        try lab.add("mail", flags: flags, lab.password("open sesame"))
        let pin = try lab.pin()
        let logins = lab.logins { #expect(code { _ = try lab.copy("mail", pin) } == .applicationPasswordRequired) }
        #expect(logins == 0)
        let password = try lab.password("open sesame")
        #expect(code { _ = try lab.copy("mail", password) } == .presenceRequired)
        #expect(try lab.value("mail", lab.password("open sesame", withPIN: true)) == [1, 2, 3])
        let wrong = try lab.password("open barley", withPIN: true)
        #expect(code { _ = try lab.copy("mail", wrong) } == .applicationPasswordIncorrect)
    }

    @Test func `An update needs the password and keeps it`() throws {
        let lab = try PresenceLab()
        try lab.add("mail", flags: PresenceLab.password, lab.password("open sesame"))
        #expect(code { try lab.update("mail", nil, changes: [.label: .text("x")]) } == .applicationPasswordRequired)
        try lab.update("mail", lab.password("open sesame"), value: [9])
        #expect(try lab.value("mail", lab.password("open sesame")) == [9])
    }
}
