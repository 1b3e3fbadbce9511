// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

@Suite(.lendsTokens) struct PINTests {
    private let newPIN = Array("87654321x".utf8)
    private let token: SoftHSMToken
    private let keychain: ItemUUID
    private let keys: Provisioner.Keys
    private let plan = FaultPlan()
    /// Alone on its token: a security officer cannot log in beside another's sessions of the process.
    private let vault: Vault

    init() throws {
        token = try SoftHSMToken.make()
        keychain = try Vault.freshUUID(.create)
        keys = try TestVault.provision(keychain, token.open(), pin: token.pin())
        vault = try Vault(
            keychain: keychain, token: token.open(interposer: plan), records: keys.records,
            sealedIndexKey: keys.sealedIndexKey)
    }

    private func id(_ accessibility: Accessibility) -> ClassKeyID { ClassKeyID(accessibility, generation: 1) }

    /// 32 bytes sealed on the token by the class key.
    private func sealed(_ accessible: Accessibility) throws -> [UInt8] {
        let key = try vault.classKey(id(accessible), .copyMatching)
        return try key.sealing.seal(SecretBytes(copying: [UInt8](repeating: 9, count: 32)), [], behind: [])
    }

    /// Whether the class key opens what it has sealed.
    private func opens(_ blob: [UInt8], _ accessible: Accessibility) throws -> Bool {
        let key = try vault.classKey(id(accessible), .copyMatching)
        return unsafe try key.sealing.open(blob.span.bytes, []).count == 32
    }

    /// How many objects of that name the token shows.
    private func count(_ id: ClassKeyID) throws -> Int {
        try vault.token.withSession { (session) throws(PKCS11Error) in
            try session.find(ClassKeyTemplate.search(KeyName(id, of: keychain), .secretKey)).count
        }
    }

    private func unblock(
        with soPIN: borrowing SecretBytes, destroyItems: () throws(KeychainError) -> Void = {}
    ) throws -> KeychainError? {
        let new = try SecretBytes(copying: newPIN)
        do throws(KeychainError) {
            try vault.initializePIN(
                new, securityOfficerPIN: soPIN, drain: .milliseconds(200), destroyItems: destroyItems)
            return nil
        } catch {
            return error
        }
    }

    private func unblock(destroyItems: () throws(KeychainError) -> Void = {}) throws -> KeychainError? {
        try unblock(with: token.soPIN(), destroyItems: destroyItems)
    }

    private func changed(from old: borrowing SecretBytes) throws -> KeychainError? {
        let new = try SecretBytes(copying: newPIN)
        do throws(KeychainError) {
            try vault.changePIN(from: old, to: new)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Changing

    @Test(arguments: [LockState.beforeFirstUnlock, .unlocked, .locked])
    func `A changed PIN leaves the lock state and opens the keychain from then on`(state: LockState) throws {
        if state != .beforeFirstUnlock { try vault.unlock(token.pin()) }
        if state == .locked { try vault.lock() }
        #expect(try changed(from: token.pin()) == nil)
        #expect(vault.lockState == state)
        #expect(vault.token.isLoggedIn == (state == .unlocked))
        try vault.lock()
        let old = try token.pin()
        #expect(failure { () throws(KeychainError) in try vault.unlock(old) }?.code == .pinIncorrect)
        try vault.unlock(SecretBytes(copying: newPIN))
    }

    @Test(arguments: Accessibility.allCases)
    func `Every class key opens after a change what it sealed before`(accessible: Accessibility) throws {
        try vault.unlock(token.pin())
        let blob = try sealed(accessible)
        #expect(try changed(from: token.pin()) == nil)
        #expect(try opens(blob, accessible))
        try vault.lock()
        try vault.unlock(SecretBytes(copying: newPIN))
        #expect(try opens(blob, accessible))
    }

    @Test func `A wrong old PIN reaches the token once, tells the tries left and changes nothing`() throws {
        let error = try changed(from: token.wrongPIN())
        #expect(error?.code == .pinIncorrect)
        #expect(error?.operation == .changePIN)
        #expect(error?.remedy == .enterCorrectPIN(triesLeft: .few))
        #expect(vault.token.calls.calls(of: .setPIN) == 1)
        #expect(vault.token.calls.calls(of: .login) == 0)
        try vault.unlock(token.pin())
    }

    @Test func `A token that changes a PIN only after a login gets one, and is logged out again`() throws {
        plan.fail(.setPIN, with: .userNotLoggedIn)
        #expect(try changed(from: token.pin()) == nil)
        #expect(vault.token.calls.calls(of: .login) == 1)
        #expect(!vault.token.isLoggedIn)
        #expect(vault.lockState == .beforeFirstUnlock)
        try vault.unlock(SecretBytes(copying: newPIN))
    }

    @Test(arguments: [
        (ReturnValue.pinLocked, KeychainError.Code.pinLocked, KeychainError.Remedy.unblockWithSO),
        (.pinExpired, .pinExpired, .changePIN), (.pinInvalid, .pinUnsuitable, .choosePIN),
        (.pinLenRange, .pinUnsuitable, .choosePIN), (.pinTooWeak, .pinUnsuitable, .choosePIN),
    ])
    func `What the token says of a PIN comes with what to do`(
        value: ReturnValue, code: KeychainError.Code, remedy: KeychainError.Remedy
    ) throws {
        plan.fail(.setPIN, with: value)
        let error = try changed(from: token.pin())
        #expect(error?.code == code)
        #expect(error?.remedy == remedy)
    }

    @Test func `A new PIN that is too short never reaches the token`() throws {
        let old = try token.pin()
        let new = try SecretBytes(copying: [0x31])
        let error = failure { () throws(KeychainError) in try vault.changePIN(from: old, to: new) }
        #expect(error?.code == .pinLength)
        #expect(error?.remedy == .choosePINLength(minimum: 4, maximum: 255))
        #expect(vault.token.calls.calls(of: .setPIN) == 0)
    }

    // MARK: - Unblocking

    @Test(arguments: [LockState.beforeFirstUnlock, .unlocked, .locked])
    func `The security officer's PIN sets a new PIN in every state`(state: LockState) throws {
        if state != .beforeFirstUnlock { try vault.unlock(token.pin()) }
        if state == .locked { try vault.lock() }
        #expect(try unblock() == nil)
        #expect(vault.lockState == (state == .beforeFirstUnlock ? .beforeFirstUnlock : .locked))
        #expect(!vault.token.isLoggedIn)
        try vault.unlock(SecretBytes(copying: newPIN))
    }

    @Test(arguments: Accessibility.afterUnlock + Accessibility.atAllTimes)
    func `Keys that work while locked go on working through an unblocking`(accessible: Accessibility) throws {
        try vault.unlock(token.pin())
        let blob = try sealed(accessible)
        #expect(try unblock() == nil)
        #expect(try opens(blob, accessible))
    }

    @Test func `The passcode class is gone when its items are, and no other`() throws {
        #expect(try unblock() == nil)
        #expect(
            failure { () throws(KeychainError) in
                _ = try vault.currentKey(for: .whenPasscodeSetThisDeviceOnly, .add)
            }?.code == .notAvailable)
        #expect(vault.records.count == Accessibility.allCases.count - 1)
    }

    @Test func `A wrong PIN of the security officer reaches the token once and changes nothing`() throws {
        var destroyed = false
        let error = try unblock(with: token.pin()) { destroyed = true }
        #expect(error?.code == .soPINIncorrect)
        #expect(error?.remedy == .enterCorrectPIN(triesLeft: .few))
        #expect(vault.token.calls.calls(of: .login) == 1)
        #expect(vault.token.calls.calls(of: .initPIN) == 0)
        #expect(!destroyed)
        #expect(vault.records.count == Accessibility.allCases.count)
        try vault.unlock(token.pin())
    }

    @Test func `After a wrong PIN of the security officer the keychain is locked and serves what locked ones serve`()
        throws
    {
        try vault.unlock(token.pin())
        let blob = try sealed(.afterFirstUnlock)
        #expect(try unblock(with: token.pin())?.code == .soPINIncorrect)
        #expect(vault.lockState == .locked)
        #expect(try opens(blob, .afterFirstUnlock))
        try vault.unlock(token.pin())
        _ = try vault.classKey(id(.whenPasscodeSetThisDeviceOnly), .copyMatching)
    }

    @Test func `If the items cannot be destroyed no PIN is set and the security officer is logged out`() throws {
        let error = try unblock { () throws(KeychainError) in throw KeychainError(.diskFull, .unblock) }
        #expect(error?.code == .diskFull)
        #expect(vault.token.calls.calls(of: .initPIN) == 0)
        #expect(vault.records.count == Accessibility.allCases.count)
        try vault.unlock(token.pin())
    }

    @Test(arguments: [
        (ReturnValue.pinLocked, KeychainError.Code.soPINLocked, KeychainError.Remedy?.some(.remakeToken)),
        (.sessionReadOnlyExists, .notAvailable, .tryAgain), (.userTypeInvalid, .unimplemented, nil),
    ])
    func `What the token says to the security officer comes with what to do`(
        value: ReturnValue, code: KeychainError.Code, remedy: KeychainError.Remedy?
    ) throws {
        plan.fail(.login, with: value)
        let error = try unblock()
        #expect(error?.code == code)
        #expect(error?.remedy == remedy)
        #expect(vault.token.calls.calls(of: .login) == 1)
    }

    @Test func `A new PIN that the token refuses is told as such, and the old one still works`() throws {
        plan.fail(.initPIN, with: .pinInvalid)
        #expect(try unblock()?.code == .pinUnsuitable)
        try vault.unlock(token.pin())
    }

    @Test func `A token without read and write sessions for keys is before first unlock afterwards`() throws {
        try vault.unlock(token.pin(), isBrief: true)
        plan.fail(.openSession, with: .tokenWriteProtected)
        _ = try vault.classKey(id(.afterFirstUnlock), .copyMatching)
        #expect(try unblock() == nil)
        #expect(vault.lockState == .beforeFirstUnlock)
        try vault.unlock(SecretBytes(copying: newPIN))
        _ = try vault.classKey(id(.afterFirstUnlock), .copyMatching)
    }

    // MARK: - Renewal

    @Test func `A renewed passcode key has the next generation and is alone on the token`() throws {
        #expect(try unblock() == nil)
        try vault.unlock(SecretBytes(copying: newPIN))
        var kept: KeyRecord?
        try vault.renewPasscodeKey(after: 1) { kept = $0 }
        let id = ClassKeyID(.whenPasscodeSetThisDeviceOnly, generation: 2)
        #expect(kept?.id == id)
        #expect(try vault.currentKey(for: .whenPasscodeSetThisDeviceOnly, .add) == id)
        #expect(try count(id) == 1)
        _ = try vault.metadataKey(id, .add)
        #expect(try count(self.id(.whenPasscodeSetThisDeviceOnly)) == 0)
    }

    @Test func `If the new key cannot be stored it is destroyed`() throws {
        #expect(try unblock() == nil)
        try vault.unlock(SecretBytes(copying: newPIN))
        let error = failure { () throws(KeychainError) in
            try vault.renewPasscodeKey(after: 1) { (_) throws(KeychainError) in
                throw KeychainError(.diskFull, .provision)
            }
        }
        #expect(error?.code == .diskFull)
        #expect(try count(ClassKeyID(.whenPasscodeSetThisDeviceOnly, generation: 2)) == 0)
    }

    @Test func `The keys of another keychain on the token stay`() throws {
        let other = try Vault.freshUUID(.create)
        let keys = try TestVault.provision(other, token.open(), pin: token.pin())
        try vault.unlock(token.pin())
        try vault.renewPasscodeKey(after: 1) { _ in }
        try vault.lock()
        let neighbour = try Vault(
            keychain: other, token: token.open(), records: keys.records, sealedIndexKey: keys.sealedIndexKey)
        try neighbour.unlock(token.pin())
        _ = try neighbour.metadataKey(id(.whenPasscodeSetThisDeviceOnly), .copyMatching)
    }

    @Test func `A locked keychain renews nothing`() throws {
        let error = failure { () throws(KeychainError) in try vault.renewPasscodeKey(after: 1) { _ in } }
        #expect(error?.code == .interactionNotAllowed)
    }
}
