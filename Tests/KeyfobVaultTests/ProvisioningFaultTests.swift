// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Tokens that fail while a keychain's keys are made, or cannot keep them as they must.
@Suite(.lendsTokens) struct ProvisioningFaultTests {
    private func provision(_ mock: MockToken) throws -> KeychainError? {
        let token = try mock.open()
        let pin = try mock.token.pin()
        let keychain = try Vault.freshUUID(.create)
        return fault { () throws(KeychainError) in
            try Provisioner.run(keychain: keychain, token: token, pin: pin, progress: { _ in }, keep: { _ in })
        }
    }

    /// The functions that provisioning calls and may not go without.
    static let needed: [CryptokiFunction] = [
        .login, .logout, .openSession, .generateKey, .getAttributeValue, .wrapKey, .unwrapKey, .encryptInit, .encrypt,
        .decryptInit, .decrypt, .destroyObject, .generateRandom,
    ]

    @Test(arguments: needed)
    func `Whether its first, a middle or its last call fails, it is told, and no key and no login is left`(
        function: CryptokiFunction
    ) throws {
        let mock = try MockToken()
        let opened = mock.module.calls(of: function)
        _ = try mock.open()
        let before = mock.module.calls(of: function)
        #expect(try provision(mock) == nil)
        // Opening the token, which `provision` does too, is no part of it.
        let made = mock.module.calls(of: function) - before - (before - opened)
        try mock.clear()
        for call in Set([0, made / 2, made - 1]).sorted() {
            let token = try mock.open()
            let pin = try mock.token.pin()
            let keychain = try Vault.freshUUID(.create)
            mock.script(.answer(function, .deviceError, after: call))
            let error = fault { () throws(KeychainError) in
                try Provisioner.run(keychain: keychain, token: token, pin: pin, progress: { _ in }, keep: { _ in })
            }
            mock.module.reset()
            let told = "call \(call) of \(made): \(String(describing: error))"
            #expect(try !mock.isLoggedIn(), "\(told)")
            #expect(try mock.objectCount() == 0, "\(told)")
            #expect(error != nil, "\(told)")
        }
    }

    @Test func `A PIN that is refused is told with the tries that are left, after one try`() throws {
        let mock = try MockToken()
        mock.script(.answer(.login, .pinIncorrect), .flags(set: .userPINCountLow))
        let error = try provision(mock)
        #expect(error?.code == .pinIncorrect && error?.remedy == .enterCorrectPIN(triesLeft: .few))
        #expect(mock.module.calls(of: .login) == 1)
    }

    @Test func `What cannot be stored is taken off the token again`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        let pin = try mock.token.pin()
        let keychain = try Vault.freshUUID(.create)
        let error = fault { () throws(KeychainError) in
            try Provisioner.run(
                keychain: keychain, token: token, pin: pin, progress: { _ in },
                keep: { (_) throws(KeychainError) in throw KeychainError(.diskFull, .create) })
        }
        #expect(error?.code == .diskFull)
        #expect(try mock.objectCount() == 0)
    }

    @Test(arguments: [CryptokiFunction.wrapKey, .unwrapKey])
    func `A token that is pulled while it is tried out is told as not there, not as unfit`(
        function: CryptokiFunction
    ) throws {
        let mock = try MockToken()
        mock.script(.answer(function, .deviceRemoved))
        #expect(try provision(mock)?.code == .notAvailable)
    }

    // MARK: - What a token can do

    @Test func `A token that makes no public objects at all is refused by name, and nothing is left on it`() throws {
        let mock = try MockToken()
        mock.script(MockStep.refusesPublicObjects)
        let error = try provision(mock)
        #expect(error?.code == .residenceRefused)
        #expect(error?.cause == .format(place: "after-first-unlock key", fault: "cannot be kept inside the token"))
        #expect(try mock.objectCount() == 0)
    }

    @Test func `A token that does nothing that a suite needs is refused as such`() throws {
        let mock = try MockToken()
        for function in [CryptokiFunction.encryptInit, .decryptInit, .signInit, .deriveKey] {
            mock.script(.answer(function, .mechanismInvalid, times: MockStep.forever))
        }
        let error = try provision(mock)
        #expect(error?.code == .unimplemented && error?.function == "C_EncryptInit")
        #expect(try mock.objectCount() == 0)
    }

    @Test func `A token that does not encrypt by AES has keys that sign`() throws {
        let test = try MockVault([.answer(.encryptInit, .mechanismInvalid, times: MockStep.forever)]).unlocked()
        #expect(test.keys.records.allSatisfy { $0.suite == .hmacKDF && $0.residence != .hostHeld })
        for accessible in Accessibility.allCases {
            let binding = try test.binding(accessible)
            #expect(try test.open(test.seal(binding), binding) == [7, 8, 9])
        }
    }

    @Test func `A token that does not tell the IV which it drew gets another suite`() throws {
        let mock = try MockToken(label: "silent-iv")
        let keychain = try Vault.freshUUID(.create)
        let keys = try TestVault.provision(keychain, mock.open(), pin: mock.token.pin())
        #expect(keys.records.allSatisfy { $0.suite == .cbcHMAC })
    }

    @Test func `A token that makes no secret keys cannot keep those inside that have to outlive the login`() throws {
        let mock = try MockToken()
        mock.script(.answer(.generateKey, .mechanismInvalid, times: MockStep.forever))
        let error = try provision(mock)
        #expect(error?.code == .residenceRefused && error?.remedy == .allowHostHeld)
        #expect(try mock.objectCount() == 0)
    }

    @Test func `A fault of a moment does not lead to a lesser suite`() throws {
        let mock = try MockToken()
        mock.script(.answer(.encrypt, .generalError))
        let keys = try TestVault.provision(Vault.freshUUID(.create), mock.open(), pin: mock.token.pin())
        #expect(keys.records.allSatisfy { $0.suite == .aesGCM })
    }

    @Test func `A token that makes public copies keeps the after-first-unlock keys as such, and they work`() throws {
        let test = try MockVault([.keepLogin(.copies)]).unlocked()
        let later = test.keys.records.filter { $0.id.accessibility.availability == .afterFirstUnlock }
        #expect(!later.isEmpty && later.allSatisfy { $0.residence == .copiedSession && $0.material == KeyMaterial() })
        let (now, then) = (try test.binding(.whenUnlocked), try test.binding(.afterFirstUnlock))
        let (shut, open) = (try test.seal(now), try test.seal(then))
        try test.vault.lock()
        #expect(try test.open(open, then) == [7, 8, 9])
        let failure = #expect(throws: OpenFailure.self) { _ = try test.open(shut, now) }
        guard case .unavailable(let error) = failure else { throw KeychainError(.internalError, .verify) }
        #expect(error.code == .interactionNotAllowed)
        try test.vault.unlock(test.mock.token.pin())
        #expect(try test.open(shut, now) == [7, 8, 9])
    }

    @Test(arguments: [AttributeType.sensitive, .extractable])
    func `A token whose public copies could be read wraps the keys instead`(attribute: AttributeType) throws {
        let mock = try MockToken()
        // The first key that is read back is the copy that was tried out.
        mock.script(
            .keepLogin(.copies), .read(attribute, [attribute == .sensitive ? 0 : 1], times: 2))
        let keys = try TestVault.provision(Vault.freshUUID(.create), mock.open(), pin: mock.token.pin())
        let later = keys.records.filter { $0.id.accessibility.availability == .afterFirstUnlock }
        #expect(later.allSatisfy { $0.residence == .unwrappedSession && $0.material.wrapped.count == 1 })
    }

    @Test func `A token that knows no template for unwrapped keys gets a wrapping key without one`() throws {
        let test = try MockVault([.refuse(.generateKey, .unwrapTemplate, nil, .attributeTypeInvalid)]).unlocked()
        let binding = try test.binding(.afterFirstUnlock)
        #expect(try test.open(test.seal(binding), binding) == [7, 8, 9])
    }

    @Test(arguments: [AttributeType.sensitive, .extractable, .private, .token, .wrap])
    func `A key that reads otherwise than it was asked for is refused, and nothing is left`(
        attribute: AttributeType
    ) throws {
        let mock = try MockToken()
        let lie: UInt8 = attribute == .sensitive || attribute == .token || attribute == .private ? 0 : 1
        // Those that are tried out at first tell the truth: each is read twice, length and value.
        mock.script(.read(attribute, [lie], after: 2))
        let error = try provision(mock)
        #expect(error?.code == .residenceRefused, "\(String(describing: error))")
        #expect(try mock.objectCount() == 0)
    }
}

extension MockToken {
    /// Takes every object off the token.
    func clear() throws {
        let beside = try token.openLoggedIn()
        let session = try beside.openSession(readWrite: true)
        var template = Template()
        template.set(.token, true)
        for object in try session.find(template, limit: 100) { try session.destroyObject(object) }
        try beside.logout()
    }
}
