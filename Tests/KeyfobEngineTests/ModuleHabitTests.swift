// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct ModuleHabitTests {
    private func keychain(habit: String) throws -> TestKeychain {
        let token = try SoftHSMToken.make(label: "\(habit) \(UInt32.random(in: 0 ... .max))")
        return try TestKeychain(token: token, uri: token.mockURI())
    }

    @Test(arguments: ["own-iv", "writes-iv", "five-fields"])
    func `A keychain works on a module with its own way of AES-GCM`(habit: String) throws {
        let keychain = try keychain(habit: habit).unlocked()
        try keychain.service().add("mail", value: [7, 8])
        #expect(try keychain.service().value("mail") == [7, 8])
        try keychain.reopen()
        try keychain.unlocked()
        #expect(try keychain.service().value("mail") == [7, 8])
        try keychain.service().add("news", value: [9])
        #expect(try keychain.service().value("news") == [9])
    }

    @Test func `A module that insists on its own IV is asked with ours once`() throws {
        let keychain = try keychain(habit: "own-iv").unlocked()
        let service = keychain.service()
        try service.add("mail")
        let before = keychain.engine.tokenCalls["C_EncryptInit"] ?? 0
        try service.add("news")
        #expect((keychain.engine.tokenCalls["C_EncryptInit"] ?? 0) - before == 1)
    }

    @Test func `What a module sealed under its own IV is opened before it is kept`() throws {
        let keychain = try keychain(habit: "writes-iv").unlocked()
        let before = keychain.engine.tokenCalls["C_Decrypt"] ?? 0
        try keychain.service().add("mail", accessible: .always)
        #expect((keychain.engine.tokenCalls["C_Decrypt"] ?? 0) > before)
    }

    @Test func `The shape of the parameters is found at creation and kept for the next opening`() throws {
        #expect(try keychain(habit: "five-fields").engine.configuration.hasFiveFieldGCM)
        #expect(try !keychain(habit: "plain").engine.configuration.hasFiveFieldGCM)
    }
}
