// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// PINs of a token with a keypad of its own (`CKF_PROTECTED_AUTHENTICATION_PATH`).
@Suite(.lendsTokens) struct DevicePINTests {
    private let newPIN = "987654"

    private func unlockAnew(_ vault: Vault) throws { try vault.unlock(SecretBytes(copying: Array(newPIN.utf8))) }

    private func change(_ test: MockVault) -> KeychainError? {
        fault { () throws(KeychainError) in try test.vault.changePINOnDevice() }
    }

    private func unblock(
        _ test: MockVault, destroyItems: () throws(KeychainError) -> Void = {}
    ) -> KeychainError? {
        fault { () throws(KeychainError) in
            try test.vault.initializePINOnDevice(on: LastLock(.tokenUnblock, time: 0), destroyItems: destroyItems)
        }
    }

    // MARK: - Changing

    @Test func `A PIN that is changed on the device opens the keychain, and the lock state stays`() throws {
        let test = try MockVault()
        try test.mock.enterPINOnDevice(newPIN: newPIN)
        #expect(change(test) == nil)
        #expect(test.vault.lockState == .beforeFirstUnlock)
        try unlockAnew(test.vault)
        #expect(change(test) == nil)
        #expect(test.vault.lockState == .unlocked)
    }

    @Test func `A device that changes a PIN only after a login gets one, and is logged out again`() throws {
        let test = try MockVault()
        try test.mock.enterPINOnDevice(newPIN: newPIN)
        test.mock.script(.answer(.setPIN, .userNotLoggedIn))
        #expect(change(test) == nil)
        #expect(!test.vault.token.isLoggedIn)
        try unlockAnew(test.vault)
    }

    @Test func `A person who would not change the PIN has canceled, and the old one holds`() throws {
        let test = try MockVault()
        try test.mock.enterPINOnDevice(newPIN: newPIN)
        test.mock.script(.answer(.setPIN, .functionCanceled))
        let error = change(test)
        #expect(error?.code == .canceled && error?.operation == .changePIN)
        try test.vault.unlock(test.mock.token.pin())
    }

    // MARK: - Unblocking

    @Test func `The security officer sets a new PIN on the device, and the items go before it is set`() throws {
        let test = try MockVault()
        try test.mock.enterPINOnDevice(newPIN: newPIN)
        try test.vault.unlockOnDevice()
        var callsBefore: Int?
        #expect(unblock(test) { callsBefore = test.mock.module.calls(of: .initPIN) } == nil)
        #expect(callsBefore.map { $0 + 1 } == test.mock.module.calls(of: .initPIN))
        #expect(test.vault.lockState == .locked && test.vault.lastLock?.reason == .tokenUnblock)
        try unlockAnew(test.vault)
    }

    @Test func `A security officer who would not enter a PIN loses no item`() throws {
        let test = try MockVault()
        try test.mock.enterPINOnDevice(newPIN: newPIN)
        test.mock.script(.answer(.login, .functionCanceled))
        var goes = false
        let error = unblock(test) { goes = true }
        #expect(error?.code == .canceled && error?.operation == .unblock)
        #expect(!goes)
        try test.vault.unlock(test.mock.token.pin())
    }

    @Test func `A wrong PIN of the security officer's on the device is told as that, and reaches the token once`()
        throws
    {
        let test = try MockVault()
        try test.mock.enterPINOnDevice(newPIN: newPIN)
        test.mock.script(.deviceSOPIN("00000000"))
        let before = test.mock.module.calls(of: .login)
        #expect(unblock(test)?.code == .soPINIncorrect)
        #expect(test.mock.module.calls(of: .login) == before + 1)
    }

    // MARK: - Without a keypad

    @Test func `A token without a keypad is not asked for one`() throws {
        let test = try MockVault()
        let before = test.mock.module.calls(of: .login)
        #expect(change(test)?.code == .unimplemented)
        #expect(unblock(test)?.code == .unimplemented)
        #expect(test.mock.module.calls(of: .login) == before)
        #expect(test.mock.module.calls(of: .setPIN) == 0)
    }

    // MARK: - Making a keychain

    @Test func `The keys of a keychain are made with a PIN that is entered on the device`() throws {
        let mock = try MockToken()
        try mock.enterPINOnDevice()
        let token = try mock.open()
        let keychain = try Vault.freshUUID(.create)
        var records = 0
        try Provisioner.runWithPINOnDevice(keychain: keychain, token: token, progress: { _ in }) {
            records = $0.records.count
        }
        #expect(records == Accessibility.allCases.count)
        // Once to begin with, and once after what is to work without a login was tried without one.
        #expect(mock.module.calls(of: .login) == 2)
    }
}
