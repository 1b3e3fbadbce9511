// SPDX-License-Identifier: Apache-2.0
import KeyfobClient
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct PINRequestTests {
    private let keychain: TestKeychain
    private let newPIN = Array("987654".utf8)

    init() throws {
        keychain = try TestKeychain()
    }

    private func code(_ body: () throws -> Void) -> KeychainError.Code? {
        #expect(throws: KeychainError.self, performing: body)?.code
    }

    @Test func `The owner changes the PIN through the daemon`() throws {
        let daemon = try TestDaemon(keychain.engine)
        let client = daemon.client()
        try client.unlock(keychain.token.pin(), finalTry: false)
        try client.changePIN(from: keychain.token.pin(), to: SecretBytes(copying: newPIN), finalTry: false)
        #expect(try client.status().lockState == .unlocked)
        try client.lock()
        try client.unlock(SecretBytes(copying: newPIN), finalTry: false)
    }

    @Test func `The PIN may be entered on the device of the daemon's token`() throws {
        let mock = try MockToken()
        let keychain = try TestKeychain(token: mock.token, uri: mock.uri.string)
        let daemon = try TestDaemon(keychain.engine)
        let client = daemon.client()
        #expect(try !client.status().hasPINPad)
        #expect(code { try client.unlockOnDevice(finalTry: false) } == .unimplemented)
        try mock.enterPINOnDevice()
        #expect(try client.status().hasPINPad)
        try client.unlockOnDevice(finalTry: false)
        #expect(try client.status().lockState == .unlocked)
    }

    @Test func `PINs may be changed and set anew on the device of the daemon's token`() throws {
        let mock = try MockToken()
        let keychain = try TestKeychain(token: mock.token, uri: mock.uri.string)
        let daemon = try TestDaemon(keychain.engine)
        let client = daemon.client()
        #expect(code { try client.changePINOnDevice(finalTry: false) } == .unimplemented)
        #expect(code { try client.unblockOnDevice(destroying: 0, finalTry: false) } == .unimplemented)
        try mock.enterPINOnDevice(newPIN: "987654")
        try client.changePINOnDevice(finalTry: false)
        try client.unlock(SecretBytes(copying: newPIN), finalTry: false)
        mock.script(.deviceNewPIN("456789"))
        try client.unblockOnDevice(destroying: 0, finalTry: false)
        #expect(try client.status().lastLock?.reason == .tokenUnblock)
        try client.unlock(SecretBytes(copying: Array("456789".utf8)), finalTry: false)
    }

    @Test func `Status of the daemon says whether its token has a user PIN`() throws {
        let mock = try MockToken()
        let keychain = try TestKeychain(token: mock.token, uri: mock.uri.string)
        let daemon = try TestDaemon(keychain.engine)
        #expect(try !daemon.client().status().lacksUserPIN)
        mock.script(.flags(set: [], clear: .userPINInitialized))
        #expect(try daemon.client().status().lacksUserPIN)
    }

    @Test func `The owner unblocks through the daemon, and it is locked then`() throws {
        let daemon = try TestDaemon(keychain.engine)
        let client = daemon.client()
        try client.unblock(
            SecretBytes(copying: newPIN), securityOfficerPIN: keychain.token.soPIN(), destroying: 0, finalTry: false)
        #expect(try client.status().lockState == .locked)
        try client.unlock(SecretBytes(copying: newPIN), finalTry: false)
    }

    @Test func `A refused PIN comes back as such and was sent to the token once`() throws {
        let daemon = try TestDaemon(keychain.engine)
        let client = daemon.client()
        let new = newPIN
        #expect(
            code {
                try client.changePIN(from: keychain.token.wrongPIN(), to: SecretBytes(copying: new), finalTry: false)
            }
                == .pinIncorrect)
        #expect(keychain.engine.tokenCalls["C_SetPIN"] == 1)
        #expect(
            code {
                try client.unblock(
                    SecretBytes(copying: new), securityOfficerPIN: keychain.token.wrongPIN(), destroying: 0,
                    finalTry: false)
            } == .soPINIncorrect)
        try client.unlock(keychain.token.pin(), finalTry: false)
    }
}
