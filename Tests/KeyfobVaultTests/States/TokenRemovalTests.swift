// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Synchronization
import Testing

@testable import KeyfobVault

/// Tokens that go, come back, or lose their login beneath a vault.
@Suite(.lendsTokens) struct TokenRemovalTests {
    /// A vault whose token's calls can be made to fail.
    private struct Lab {
        let plan = FaultPlan()
        let token: SoftHSMToken
        let vault: Vault
        let keychain: ItemUUID

        init() throws {
            token = try SoftHSMToken.make()
            keychain = try Vault.freshUUID(.create)
            let keys = try TestVault.provision(keychain, token.open(), pin: token.pin())
            vault = try Vault(
                keychain: keychain, token: token.open(interposer: plan), records: keys.records,
                sealedIndexKey: keys.sealedIndexKey)
        }

        func binding(_ accessibility: Accessibility) throws -> ItemBinding {
            ItemBinding(
                keychain: keychain, item: try Vault.freshUUID(.add), scope: [1], tuple: [2], extra: [],
                key: ClassKeyID(accessibility, generation: 1), accessControl: [])
        }

        func seal(_ accessibility: Accessibility) throws(KeychainError) {
            do {
                let value = try SecretBytes(copying: Array("value".utf8))
                _ = try vault.sealValue(value, binding: binding(accessibility), .add)
            } catch let error as KeychainError {
                throw error
            } catch {
                throw KeychainError(.internalError, .add)
            }
        }

        func code(_ accessibility: Accessibility) -> KeychainError.Code? {
            do throws(KeychainError) {
                try seal(accessibility)
                return nil
            } catch {
                return error.code
            }
        }

        /// Every call of the functions that a pulled token answers fails until `back`.
        func pull(_ value: ReturnValue = .deviceRemoved) {
            for function in Self.functions { plan.fail(function, with: value, times: .max) }
        }

        /// Asks until the token is found again.
        func isBack() -> Bool {
            eventually {
                vault.checkToken()
                return vault.lockState == .beforeFirstUnlock
            }
        }

        func putBack() { plan.clear() }

        /// What another part of the process does that uses the same token.
        func logOutBeside() throws {
            let other = try token.open()
            try other.login(token.pin())
            try other.logout()
        }

        private static let functions: [CryptokiFunction] = [
            .getSlotList, .getTokenInfo, .openSession, .getSessionInfo, .encryptInit, .decryptInit, .login, .logout,
            .copyObject, .findObjectsInit, .destroyObject, .unwrapKey,
        ]
    }

    @Test(arguments: [ReturnValue.deviceRemoved, .tokenNotPresent, .sessionHandleInvalid, .deviceError])
    func `A token that is pulled takes every class with it, and its return is before first unlock`(
        value: ReturnValue
    ) throws {
        let lab = try Lab()
        try lab.vault.unlock(lab.token.pin())
        for accessibility in Accessibility.allCases { try lab.seal(accessibility) }
        lab.pull(value)
        for accessibility in Accessibility.allCases { #expect(lab.code(accessibility) == .notAvailable) }
        #expect(lab.vault.lockState == .noToken)
        #expect(lab.vault.state.withLock { $0.classKeys.isEmpty && $0.metadataKeys.isEmpty })
        #expect(lab.vault.absence?.cause == .pkcs11(function: "C_GetTokenInfo", returnValue: value.rawValue))
        lab.putBack()
        #expect(lab.isBack())
        #expect(lab.vault.absence == nil)
        #expect(lab.code(.always) == nil)
        #expect(lab.code(.whenUnlocked) == .interactionNotAllowed)
        #expect(lab.code(.afterFirstUnlock) == .interactionNotAllowed)
        try lab.vault.unlock(lab.token.pin())
        for accessibility in Accessibility.allCases { #expect(lab.code(accessibility) == nil) }
    }

    @Test func `A token that is absent stays absent until it is back, and is not asked by every call`() throws {
        let lab = try Lab()
        lab.pull()
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .noToken)
        lab.vault.findTokenIfDue()
        let before = lab.vault.token.module.calls.calls(of: .getSlotList)
        for _ in 0..<100 { lab.vault.findTokenIfDue() }
        #expect(lab.vault.token.module.calls.calls(of: .getSlotList) == before)
        #expect(lab.vault.lockState == .noToken)
    }

    @Test func `An unlock that meets a token which is gone says so, and so does the state`() throws {
        let lab = try Lab()
        lab.pull(.tokenNotPresent)
        let pin = try lab.token.pin()
        let error = #expect(throws: KeychainError.self) { try lab.vault.unlock(pin) }
        #expect(error?.code == .notAvailable)
        #expect(lab.vault.lockState == .noToken)
    }

    @Test func `An unlock looks for the token at once, and says what it found`() throws {
        let lab = try Lab()
        lab.pull(.tokenNotPresent)
        lab.vault.checkToken()
        let pin = try lab.token.pin()
        let error = #expect(throws: KeychainError.self) { try lab.vault.unlock(pin) }
        #expect(error?.code == .notAvailable)
        #expect(error?.remedy == .insertToken)
        #expect(error?.subject == .token(lab.vault.token.identity))
        lab.putBack()
        try lab.vault.unlock(pin)
        #expect(lab.vault.lockState == .unlocked)
    }

    @Test func `A login that outlives the fault of its token is ended, and takes no wrong PIN`() throws {
        let lab = try Lab()
        try lab.vault.unlock(lab.token.pin())
        // A call that is under way keeps its session, and with it the login.
        let held = try lab.vault.token.openSession(readWrite: false)
        lab.pull()
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .noToken)
        lab.putBack()
        #expect(lab.isBack())
        #expect(try !held.isLoggedIn())
        let wrong = try lab.token.wrongPIN()
        #expect(failure { () throws(KeychainError) in try lab.vault.unlock(wrong) }?.code == .pinIncorrect)
        #expect(lab.vault.lockState == .beforeFirstUnlock)
    }

    @Test func `A check that finds nothing wrong changes nothing and costs three calls`() throws {
        let lab = try Lab()
        try lab.vault.unlock(lab.token.pin())
        let (lock, epoch) = (lab.vault.lockState, lab.vault.epoch)
        // The first one also finds out whether the slot is a device's.
        lab.vault.checkToken()
        let before = lab.vault.token.calls.snapshot().values.reduce(0, +)
        lab.vault.checkToken()
        #expect(lab.vault.token.calls.snapshot().values.reduce(0, +) == before + 3)
        #expect(lab.vault.lockState == lock)
        #expect(lab.vault.epoch == epoch)
    }

    @Test func `A token that answers again when it is asked twice was never gone`() throws {
        let lab = try Lab()
        lab.plan.fail(.getTokenInfo, with: .generalError)
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .beforeFirstUnlock)
        lab.plan.fail(.getTokenInfo, with: .generalError, times: 2)
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .noToken)
    }

    @Test func `A login that another program ended is a lock, and after-first-unlock keys stay`() throws {
        let lab = try Lab()
        try lab.vault.unlock(lab.token.pin())
        try lab.seal(.whenUnlocked)
        try lab.logOutBeside()
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .locked)
        #expect(lab.code(.whenUnlocked) == .interactionNotAllowed)
        #expect(lab.code(.afterFirstUnlock) == nil)
        try lab.vault.unlock(lab.token.pin())
        #expect(lab.code(.whenUnlocked) == nil)
    }

    @Test func `A call that meets a login ended by another program says that the keychain is locked`() throws {
        let lab = try Lab()
        try lab.vault.unlock(lab.token.pin())
        try lab.seal(.whenUnlocked)
        try lab.logOutBeside()
        #expect(lab.code(.whenUnlocked) == .interactionNotAllowed)
        #expect(lab.vault.lockState == .locked)
    }

    @Test func `An object that is gone from a token that is well is made again`() throws {
        let lab = try Lab()
        let key = try lab.vault.classKey(lab.vault.currentKey(for: .always, .add), .add)
        try lab.seal(.always)
        try key.destroy()
        #expect(lab.code(.always) == .notAvailable)
        #expect(lab.code(.always) == nil)
        #expect(lab.vault.lockState == .beforeFirstUnlock)
    }

    @Test func `A locked keychain whose token is pulled loses its after-first-unlock keys`() throws {
        let lab = try Lab()
        try lab.vault.unlock(lab.token.pin())
        try lab.vault.lock()
        lab.pull()
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .noToken)
        lab.putBack()
        lab.vault.checkToken()
        #expect(lab.isBack())
        #expect(lab.code(.afterFirstUnlock) == .interactionNotAllowed)
    }

    @Test func `Another token in the slot of ours is no token`() throws {
        let lab = try Lab()
        // A token with open sessions is not initialised.
        lab.vault.token.dropSessions()
        lab.vault.state.withLock { $0.classKeys = [:] }
        try SoftHSM.shared.module.initializeToken(
            in: lab.vault.token.slot, label: "another", soPIN: lab.token.soPIN())
        lab.vault.checkToken()
        #expect(lab.vault.lockState == .noToken)
        #expect(lab.code(.always) == .notAvailable)
        lab.vault.findTokenIfDue()
        #expect(lab.vault.absence?.code == .tokenNotFound)
    }
}
