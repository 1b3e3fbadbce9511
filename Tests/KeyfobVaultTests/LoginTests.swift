// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Synchronization
import Testing

@testable import KeyfobVault

/// What a PIN costs: each entry reaches the token once at most, and the answer says what is left.
@Suite(.lendsTokens) struct LoginTests {
    @Test func `A wrong PIN is one C_Login, and the error carries what the token says of the tries`() throws {
        let test = try TestVault()
        let before = test.vault.token.calls.calls(of: .login)
        let wrong = try test.token.wrongPIN()
        let error = failure { () throws(KeychainError) in try test.vault.unlock(wrong) }
        #expect(error?.code == .pinIncorrect)
        #expect(error?.cause == .pkcs11(function: "C_Login", returnValue: 0xA0))
        #expect(test.vault.token.calls.calls(of: .login) == before + 1)
        // SoftHSM sets CKF_USER_PIN_COUNT_LOW after the first wrong PIN.
        #expect(error?.remedy == .enterCorrectPIN(triesLeft: .few))
        #expect(error?.subject == .token(test.vault.token.identity))
    }

    @Test func `The right PIN after a wrong one unlocks, and the token forgets the wrong one`() throws {
        let test = try TestVault()
        let wrong = try test.token.wrongPIN()
        #expect(failure { () throws(KeychainError) in try test.vault.unlock(wrong) } != nil)
        try test.vault.unlock(test.token.pin())
        #expect(try test.vault.token.info().triesLeft == .unknown)
    }

    @Test(arguments: [0, 3, 256, 4096])
    func `A PIN of a length that the token does not take never reaches it`(length: Int) throws {
        let test = try TestVault()
        let before = test.vault.token.calls.calls(of: .login)
        let pin = try SecretBytes(copying: [UInt8](repeating: 0x31, count: length))
        let error = failure { () throws(KeychainError) in try test.vault.unlock(pin) }
        #expect(error?.code == .pinLength)
        #expect(error?.remedy == .choosePINLength(minimum: 4, maximum: 255))
        #expect(test.vault.token.calls.calls(of: .login) == before)
        #expect(try test.vault.token.info().triesLeft == .unknown)
    }

    @Test func `Unlocking an unlocked keychain sends no PIN, not even a wrong one`() throws {
        let test = try TestVault().unlocked()
        let before = test.vault.token.calls.calls(of: .login)
        try test.vault.unlock(test.token.wrongPIN())
        #expect(test.vault.token.calls.calls(of: .login) == before)
        #expect(test.vault.lockState == .unlocked)
    }

    @Test func `Unlocks that come together make one login`() throws {
        let test = try TestVault()
        let before = test.vault.token.calls.calls(of: .login)
        let failures = Atomic(0)
        let (vault, token) = (test.vault, test.token)
        Threads.run(8) { _ in
            do { try vault.unlock(token.pin()) } catch { failures.add(1, ordering: .relaxed) }
        }
        #expect(failures.load(ordering: .relaxed) == 0)
        #expect(vault.lockState == .unlocked)
        #expect(vault.token.calls.calls(of: .login) == before + 1)
    }

    @Test func `A wrong PIN after a lock leaves the keychain locked and its after-first-unlock keys at work`() throws {
        let test = try TestVault().unlocked()
        try test.vault.lock()
        let wrong = try test.token.wrongPIN()
        #expect(failure { () throws(KeychainError) in try test.vault.unlock(wrong) }?.code == .pinIncorrect)
        #expect(test.vault.lockState == .locked)
        _ = try test.vault.classKey(test.id(.afterFirstUnlock), .copyMatching)
    }

    @Test func `A locked PIN is told as such after one C_Login, and names who can help`() throws {
        let token = try SoftHSMToken.make()
        let keychain = try Vault.freshUUID(.create)
        let keys = try TestVault.provision(keychain, token.open(), pin: token.pin())
        let refusing = try token.open(interposer: PINFaults(.pinLocked))
        let vault = try Vault(
            keychain: keychain, token: refusing, records: keys.records, sealedIndexKey: keys.sealedIndexKey)
        let pin = try token.pin()
        let error = failure { () throws(KeychainError) in try vault.unlock(pin) }
        #expect(error?.code == .pinLocked)
        #expect(error?.remedy == .unblockWithSO)
        #expect(refusing.calls.calls(of: .login) == 1)
        #expect(vault.lockState == .beforeFirstUnlock)
    }
}

/// Answers every `C_Login` with one value.
private struct PINFaults: CallInterposer {
    let value: ReturnValue

    init(_ value: ReturnValue) {
        self.value = value
    }

    func intercept(_ function: CryptokiFunction) -> ReturnValue? { function == .login ? value : nil }
}
