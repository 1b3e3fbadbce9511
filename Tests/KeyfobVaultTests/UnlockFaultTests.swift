// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Tokens that fail, or say no, at an unlock.
@Suite(.lendsTokens) struct UnlockFaultTests {
    private func unlock(_ test: MockVault, finalTry: Bool = false) throws -> KeychainError? {
        let pin = try test.mock.token.pin()
        return fault { () throws(KeychainError) in try test.vault.unlock(pin, finalTry: finalTry) }
    }

    // MARK: - What the token says about its PIN

    @Test(arguments: [
        (TokenFlags.userPINLocked, TokenFlags(), KeychainError.Code.pinLocked, KeychainError.Remedy.unblockWithSO),
        (.userPINFinalTry, TokenFlags(), .pinFinalTry, .giveFinalTry),
        (TokenFlags(), .userPINInitialized, .pinNotSet, .unblockWithSO),
    ])
    func `A PIN that cannot help is kept from the token, and who can help is named`(
        set: TokenFlags, clear: TokenFlags, code: KeychainError.Code, remedy: KeychainError.Remedy
    ) throws {
        let test = try MockVault()
        let before = test.mock.module.calls(of: .login)
        test.mock.script(.flags(set: set, clear: clear))
        let error = try unlock(test)
        #expect(error?.code == code && error?.remedy == remedy)
        #expect(error?.subject == .token(test.vault.token.identity))
        #expect(test.mock.module.calls(of: .login) == before)
        #expect(test.vault.lockState == .beforeFirstUnlock)
    }

    // MARK: - A PIN that is entered on the device

    @Test func `A PIN entered on the device unlocks, and the next unlock asks for it again`() throws {
        let test = try MockVault()
        try test.mock.enterPINOnDevice()
        try test.vault.unlockOnDevice()
        #expect(test.vault.lockState == .unlocked)
        _ = try test.seal(test.binding())
        try test.vault.lock()
        let before = test.mock.module.calls(of: .login)
        try test.vault.unlockOnDevice()
        #expect(test.mock.module.calls(of: .login) == before + 1)
    }

    @Test func `A device without a way to enter a PIN is not asked for one`() throws {
        let test = try MockVault()
        let before = test.mock.module.calls(of: .login)
        let error = fault { () throws(KeychainError) in try test.vault.unlockOnDevice() }
        #expect(error?.code == .unimplemented)
        #expect(test.mock.module.calls(of: .login) == before)
        #expect(test.vault.lockState == .beforeFirstUnlock)
    }

    @Test(arguments: [(ReturnValue.pinIncorrect, KeychainError.Code.pinIncorrect), (.functionCanceled, .canceled)])
    func `What goes wrong at the device is told, and nothing is tried again`(
        value: ReturnValue, code: KeychainError.Code
    ) throws {
        let test = try MockVault()
        try test.mock.enterPINOnDevice()
        let before = test.mock.module.calls(of: .login)
        test.mock.script(.answer(.login, value))
        #expect(fault { () throws(KeychainError) in try test.vault.unlockOnDevice() }?.code == code)
        #expect(test.mock.module.calls(of: .login) == before + 1)
        #expect(test.vault.lockState == .beforeFirstUnlock)
    }

    @Test func `The last try is spent with consent`() throws {
        let test = try MockVault()
        test.mock.script(.flags(set: .userPINFinalTry))
        #expect(try unlock(test, finalTry: true) == nil)
        #expect(test.vault.lockState == .unlocked)
    }

    @Test(arguments: [
        (TokenFlags.userPINCountLow, KeychainError.Remedy.enterCorrectPIN(triesLeft: .few)),
        (.userPINFinalTry, .enterCorrectPIN(triesLeft: .one)), (.userPINLocked, .unblockWithSO),
    ])
    func `A wrong PIN comes with what the token says of the tries after it`(
        flag: TokenFlags, remedy: KeychainError.Remedy
    ) throws {
        let test = try MockVault()
        // SoftHSM never locks: the flags change while the PIN is on its way.
        test.mock.script(.hang(.login))
        let wrong = Background {
            let pin = try test.mock.token.wrongPIN()
            return fault { () throws(KeychainError) in try test.vault.unlock(pin) }
        }
        #expect(test.mock.module.waitForHang())
        test.mock.script(.flags(set: flag), .release)
        let error = try wrong.value()
        #expect(error?.code == .pinIncorrect && error?.remedy == remedy)
    }

    @Test func `A wrong PIN whose tries cannot be asked for is a wrong PIN all the same`() throws {
        let test = try MockVault()
        test.mock.script(.hang(.login))
        let wrong = Background {
            let pin = try test.mock.token.wrongPIN()
            return fault { () throws(KeychainError) in try test.vault.unlock(pin) }
        }
        #expect(test.mock.module.waitForHang())
        test.mock.script(.answer(.getTokenInfo, .deviceError), .release)
        let error = try wrong.value()
        #expect(error?.code == .pinIncorrect && error?.remedy == .enterCorrectPIN(triesLeft: .unknown))
    }

    @Test(arguments: [
        (ReturnValue.pinLocked, KeychainError.Code.pinLocked), (.pinExpired, .pinExpired),
        (.userPINNotInitialized, .pinNotSet), (.pinLenRange, .pinUnsuitable), (.deviceError, .tokenFailed),
        (.deviceRemoved, .notAvailable), (.userAnotherAlreadyLoggedIn, .tokenFailed),
    ])
    func `A login that fails is told, tried once, and changes nothing`(
        value: ReturnValue, code: KeychainError.Code
    ) throws {
        let test = try MockVault()
        let before = test.mock.module.calls(of: .login)
        test.mock.script(.answer(.login, value))
        #expect(try unlock(test)?.code == code)
        #expect(test.mock.module.calls(of: .login) == before + 1)
        #expect(test.vault.lockState == .beforeFirstUnlock)
        #expect(try unlock(test) == nil)
    }

    // MARK: - The keys of the first unlock

    @Test func `Whichever call of an unlock fails, it is told and undone, and the next unlock works`() throws {
        let test = try MockVault()
        var told = 0
        for call in 0... {
            let vault = try test.reopened()
            let pin = try test.mock.token.pin()
            let before = vault.token.calls.total
            test.mock.script(.answer(nil, .functionFailed, after: call))
            let error = fault { () throws(KeychainError) in try vault.unlock(pin) }
            let made = vault.token.calls.total - before
            test.mock.module.reset()
            guard error != nil else {
                #expect(vault.lockState == .unlocked)
                try vault.end()
                if made <= call { break }
                continue
            }
            told += 1
            #expect(vault.lockState == .beforeFirstUnlock, "call \(call): \(String(describing: error))")
            #expect(try !test.isLoggedIn(), "call \(call): \(String(describing: error))")
            try vault.unlock(test.mock.token.pin())
            try vault.end()
        }
        #expect(told > 10)
    }

    @Test func `A wrapped key that is damaged costs its own class and no other`() throws {
        let test = try MockVault()
        let records = test.keys.records.map { record in
            guard record.id.accessibility == .afterFirstUnlock else { return record }
            var material = record.material
            material.wrapped = material.wrapped.map { key in
                WrappedKey(key.wrap, key.bytes.dropLast() + [key.bytes[key.bytes.count - 1] ^ 1])
            }
            return record.with(material)
        }
        let vault = try test.reopened(records)
        try vault.unlock(test.mock.token.pin())
        for accessible in [Accessibility.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, .whenUnlocked] {
            let error = fault { () throws(KeychainError) in
                _ = try vault.classKey(test.id(accessible), .copyMatching)
            }
            #expect(error?.code == (accessible == .afterFirstUnlock ? .storeDamaged : nil))
        }
    }

    @Test(arguments: [ReturnValue.generalError, .functionFailed, .wrappedKeyInvalid])
    func `A token that unwraps nothing has failed, and the store is not called damaged`(value: ReturnValue) throws {
        let test = try MockVault()
        test.mock.script(.answer(.unwrapKey, value, times: MockStep.forever))
        let error = try unlock(test)
        #expect(error?.code == .tokenFailed && error?.function == "C_UnwrapKey")
        #expect(test.vault.lockState == .beforeFirstUnlock)
        test.mock.module.reset()
        #expect(try unlock(test) == nil)
    }

    @Test func `A token that fails to unwrap for a moment is asked again`() throws {
        let test = try MockVault()
        test.mock.script(.answer(.unwrapKey, .generalError))
        #expect(try unlock(test) == nil)
        _ = try test.seal(test.binding(.afterFirstUnlock))
    }

    @Test func `A token that wants to be told how long an unwrapped key is, is told`() throws {
        let test = try MockVault()
        // SoftHSM does not want to be told, so it is kept from it.
        test.mock.script(.answer(.unwrapKey, .templateIncomplete), .strip(.valueLength))
        #expect(try unlock(test) == nil)
        _ = try test.seal(test.binding(.afterFirstUnlock))
    }

    @Test func `What it is told is 32 bytes`() throws {
        let test = try MockVault()
        test.mock.script(
            .answer(.unwrapKey, .templateIncomplete),
            .refuse(.unwrapKey, .valueLength, [32, 0, 0, 0, 0, 0, 0, 0], .deviceMemory))
        #expect(
            try unlock(test)?.cause == .pkcs11(function: "C_UnwrapKey", returnValue: ReturnValue.deviceMemory.rawValue))
    }

    @Test func `A token that finds a template incomplete whatever it says has failed`() throws {
        let test = try MockVault()
        let before = test.mock.module.calls(of: .unwrapKey)
        test.mock.script(.answer(.unwrapKey, .templateIncomplete, times: 2))
        #expect(try unlock(test)?.function == "C_UnwrapKey")
        #expect(test.mock.module.calls(of: .unwrapKey) == before + 2)
    }

    @Test(arguments: [AttributeType.sensitive, .extractable, .private])
    func `An unwrapped key that reads otherwise than it was asked for ends the login`(attribute: AttributeType) throws {
        let test = try MockVault()
        test.mock.script(.read(attribute, [attribute == .sensitive ? 0 : 1]))
        #expect(try unlock(test)?.code == .residenceRefused)
        #expect(test.vault.lockState == .beforeFirstUnlock)
        #expect(try !test.isLoggedIn())
    }

    @Test func `An unlock that cannot be undone tells what went wrong first`() throws {
        let test = try MockVault()
        test.mock.script(
            .answer(.unwrapKey, .deviceMemory), .answer(.logout, .functionFailed))
        #expect(try unlock(test)?.function == "C_UnwrapKey")
    }

    @Test func `A metadata key that was changed in the store is damage, and keeps no other class from working`() throws
    {
        let test = try MockVault()
        let records = test.keys.records.map { record in
            guard record.id.accessibility == .whenUnlocked else { return record }
            var sealed = record.sealedMetadataKey
            sealed[sealed.count - 1] ^= 1
            return KeyRecord(
                id: record.id, suite: record.suite, residence: record.residence, material: record.material,
                sealedMetadataKey: sealed)
        }
        let vault = try test.reopened(records)
        try vault.unlock(test.mock.token.pin())
        for accessible in [Accessibility.whenUnlocked, .afterFirstUnlock] {
            let error = fault { () throws(KeychainError) in
                _ = try vault.metadataKey(test.id(accessible), .copyMatching)
            }
            #expect(error?.code == (accessible == .whenUnlocked ? .storeDamaged : nil))
        }
    }
}
