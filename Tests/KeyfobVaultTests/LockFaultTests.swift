// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Tokens that fail at a lock, or go on using keys after it.
@Suite(.lendsTokens) struct LockFaultTests {
    /// An unlocked vault whose key for `whenUnlocked` is at work.
    private func unlocked(_ habits: [MockStep] = []) throws -> MockVault {
        let test = try MockVault(habits).unlocked()
        _ = try test.seal(test.binding())
        return test
    }

    private func lock(_ test: MockVault) -> KeychainError? {
        fault { () throws(KeychainError) in try test.vault.lock() }
    }

    private func isLocked(_ test: MockVault) throws -> Bool {
        let binding = try test.binding()
        return fault { () throws(KeychainError) in _ = try test.seal(binding) }?.code == .interactionNotAllowed
    }

    @Test func `Whichever call of a lock fails, the keychain is locked`() throws {
        let test = try unlocked()
        var told = 0
        for call in 0... {
            let before = test.vault.token.calls.total
            test.mock.script(.answer(nil, .functionFailed, after: call))
            let error = lock(test)
            let made = test.vault.token.calls.total - before
            test.mock.module.reset()
            #expect(test.vault.lockState == .locked)
            #expect(try isLocked(test), "call \(call): \(String(describing: error))")
            // A token that would not log out is told to again by the next lock.
            if error?.function == "C_Logout" { #expect(lock(test) == nil) }
            #expect(try !test.isLoggedIn(), "call \(call)")
            if error != nil { told += 1 }
            if made <= call { break }
            try test.vault.unlock(test.mock.token.pin())
            _ = try test.seal(test.binding())
        }
        #expect(told >= 3)
    }

    @Test func `A key that cannot be destroyed does not keep the token logged in`() throws {
        let test = try unlocked()
        test.mock.script(.answer(.destroyObject, .deviceError))
        let error = lock(test)
        #expect(error?.code == .tokenFailed && error?.function == "C_DestroyObject")
        #expect(try !test.isLoggedIn())
    }

    @Test(arguments: [MockStep.Kept.all, .hidden])
    func `A token that goes on using a key after the logout is refused by the name of the class`(
        kept: MockStep.Kept
    ) throws {
        let test = try unlocked()
        // Else its module would be started anew, and forget.
        let other = try test.mock.open()
        // It does not destroy what it is told to destroy either.
        test.mock.script(.keepLogin(kept), .answer(.destroyObject, .ok))
        let error = lock(test)
        #expect(error?.code == .residenceRefused && error?.subject == .classKey(.whenUnlocked))
        #expect(error?.cause == .format(place: "C_Logout", fault: "left the key usable"))
        #expect(try isLocked(test))
        withExtendedLifetime(other) {}
    }

    @Test func `A token that hides a key after the logout and still uses it is refused, even if the copy is gone`()
        throws
    {
        let test = try unlocked()
        let other = try test.mock.open()
        test.mock.script(.keepLogin(.hidden))
        #expect(lock(test)?.code == .residenceRefused)
        withExtendedLifetime(other) {}
    }

    @Test(arguments: [MockStep.Kept.all, .hidden])
    func `A token that goes on using a key after the logout is made to forget by a new start of its module`(
        kept: MockStep.Kept
    ) throws {
        let test = try unlocked()
        let binding = try test.binding(.afterFirstUnlock)
        let blob = try test.seal(binding)
        test.mock.script(.keepLogin(kept))
        let starts = test.mock.module.calls(of: .initialize)
        #expect(lock(test) == nil)
        #expect(test.mock.module.calls(of: .initialize) == starts + 1)
        // The after-first-unlock keys were session objects.
        #expect(test.vault.lockState == .beforeFirstUnlock && test.vault.lastLock?.reason == .explicit)
        #expect(try !test.isLoggedIn())
        let error = fault { () throws(KeychainError) in _ = try test.vault.classKey(binding.key, .copyMatching) }
        #expect(error?.code == .interactionNotAllowed)
        try test.vault.unlock(test.mock.token.pin())
        #expect(try test.open(blob, binding) == [7, 8, 9])
    }

    @Test func `A token that cannot be started anew after a logout that left a key usable is told about`() throws {
        let test = try unlocked()
        test.mock.script(.keepLogin(.hidden), .answer(.initialize, .hostMemory))
        let error = lock(test)
        #expect(error?.function == "C_Initialize")
        #expect(try test.vault.lockState == .beforeFirstUnlock && isLocked(test))
        // It is found as any token that was gone.
        test.vault.checkToken()
        test.vault.findTokenIfDue()
        try test.vault.unlock(test.mock.token.pin())
        _ = try test.seal(test.binding())
    }

    @Test func `A wrong PIN is refused even if the token would not log out before`() throws {
        let test = try unlocked()
        test.mock.script(.answer(.logout, .functionFailed, times: 2))
        #expect(lock(test)?.function == "C_Logout")
        let wrong = try test.mock.token.wrongPIN()
        let stuck = fault { () throws(KeychainError) in try test.vault.unlock(wrong) }
        #expect(stuck?.function == "C_Logout")
        #expect(fault { () throws(KeychainError) in try test.vault.unlock(wrong) }?.code == .pinIncorrect)
        #expect(test.vault.lockState == .locked)
        try test.vault.unlock(test.mock.token.pin())
        #expect(test.vault.lockState == .unlocked)
    }

    @Test func `A token that shows a key after the logout is refused, even if the copy is gone`() throws {
        let test = try unlocked()
        let other = try test.mock.open()
        test.mock.script(.keepLogin(.all))
        #expect(lock(test)?.code == .residenceRefused)
        withExtendedLifetime(other) {}
    }

    @Test func `A token that was pulled is told as not there, and everything that hung on it is gone`() throws {
        let test = try unlocked()
        test.mock.script(.remove())
        #expect(lock(test)?.code == .notAvailable)
        #expect(test.vault.lockState == .noToken)
        let binding = try test.binding()
        #expect(fault { () throws(KeychainError) in _ = try test.seal(binding) }?.code == .notAvailable)
    }

    @Test(arguments: [CryptokiFunction.destroyObject, .logout])
    func `Ending a keychain on a token that fails tells of it, and leaves no key at work`(
        function: CryptokiFunction
    ) throws {
        let test = try unlocked()
        test.mock.script(.answer(function, .functionFailed))
        let error = fault { () throws(KeychainError) in try test.vault.end() }
        #expect(error?.function == function.name)
        #expect(test.vault.lockState == .beforeFirstUnlock)
        #expect(try isLocked(test))
    }

    @Test func `A seal that a lock overtakes fails as locked, not as a fault of the token`() throws {
        let test = try unlocked()
        let binding = try test.binding()
        test.mock.script(.hang(.encryptInit))
        let overtaken = Background { fault { () throws(KeychainError) in _ = try test.seal(binding) } }
        #expect(test.mock.module.waitForHang())
        try test.vault.lock()
        test.mock.script(.release)
        #expect(try overtaken.value()?.code == .interactionNotAllowed)
    }

    @Test func `A seal that a lock and an unlock overtake fails as locked`() throws {
        let test = try unlocked()
        let binding = try test.binding()
        test.mock.script(.hang(.encryptInit))
        let overtaken = Background { fault { () throws(KeychainError) in _ = try test.seal(binding) } }
        #expect(test.mock.module.waitForHang())
        try test.vault.lock()
        try test.vault.unlock(test.mock.token.pin())
        test.mock.script(.release)
        #expect(try overtaken.value()?.code == .interactionNotAllowed)
    }

    @Test func `An opening that a lock overtakes says that the key is away, not that the row is damaged`() throws {
        let test = try unlocked()
        let binding = try test.binding()
        let blob = try test.seal(binding)
        test.mock.script(.hang(.decryptInit))
        let overtaken = Background { () -> OpenFailure? in
            do throws(OpenFailure) { _ = try test.open(blob, binding) } catch { return error }
            return nil
        }
        #expect(test.mock.module.waitForHang())
        try test.vault.lock()
        test.mock.script(.release)
        guard case .unavailable(let error) = try overtaken.value() else { throw KeychainError(.internalError, .verify) }
        #expect(error.code == .interactionNotAllowed)
    }
}
