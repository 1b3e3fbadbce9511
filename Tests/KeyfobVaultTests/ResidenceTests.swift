// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Every suite and residence in a whole vault.
@Suite(.lendsTokens) struct ResidenceTests {
    private static let suites: [Suite] = [.aesGCM, .cbcHMAC, .hmacKDF, .rsaOAEP, .ecdhP256]

    private func policy(_ suite: Suite? = nil, allowsHostHeld: Bool = true) -> KeyPolicy {
        var policy = KeyPolicy()
        policy.suite = suite
        policy.allowsHostHeld = allowsHostHeld
        return policy
    }

    /// A token that makes no public keys at all: its class keys are private or nowhere.
    private static let closed =
        MockStep.refusesPublicObjects + [.refuse(.generateKey, .private, [0], .templateInconsistent)]

    @Test(arguments: suites)
    func `Under every suite each class opens what it sealed, in the states of its promise`(suite: Suite) throws {
        let test = try MockVault(policy: policy(suite)).unlocked()
        #expect(test.keys.records.allSatisfy { $0.suite == suite })
        var sealed: [Accessibility: ([UInt8], ItemBinding)] = [:]
        for accessible in Accessibility.allCases {
            let binding = try test.binding(accessible)
            sealed[accessible] = (try test.seal(binding), binding)
        }
        for (accessible, (blob, binding)) in sealed {
            #expect(try test.open(blob, binding) == [7, 8, 9], "\(accessible)")
        }
        try test.vault.lock()
        for (accessible, (blob, binding)) in sealed {
            let opened = Result { () throws(OpenFailure) in try test.open(blob, binding) }
            let isOpen = accessible.availability != .whileUnlocked
            #expect((try? opened.get()) == (isOpen ? [7, 8, 9] : nil), "\(accessible)")
        }
        let again = try test.reopened()
        for (accessible, (blob, binding)) in sealed {
            let opened = Result { () throws(OpenFailure) in try test.open(blob, binding, in: again) }
            #expect((try? opened.get()) == (accessible.availability == .always ? [7, 8, 9] : nil), "\(accessible)")
        }
        try again.unlock(test.mock.token.pin())
        for (_, (blob, binding)) in sealed {
            #expect(try test.open(blob, binding, in: again) == [7, 8, 9])
        }
    }

    @Test(arguments: suites)
    func `Under every suite the token refuses the keys of the login after a lock`(suite: Suite) throws {
        let test = try MockVault(policy: policy(suite)).unlocked()
        let key = try test.vault.classKey(test.id(.whenUnlocked), .copyMatching)
        let isEachUsed = try key.objects.allSatisfy { try $0.kind.isAccepted($0.handle, on: test.vault.token) }
        #expect(isEachUsed)
        try test.vault.lock()
        for object in key.objects {
            #expect(try !object.kind.isAccepted(object.handle, on: test.vault.token), "\(object.kind)")
        }
    }

    @Test(arguments: [Suite.rsaOAEP, .ecdhP256])
    func `The after-first-unlock keys of a suite with pairs are held by the host, if that is allowed`(suite: Suite)
        throws
    {
        let test = try MockVault(policy: policy(suite))
        for record in test.keys.records {
            let isHeld = record.id.accessibility.availability == .afterFirstUnlock
            #expect((record.residence == .hostHeld) == isHeld, "\(record.id.accessibility)")
        }
        let mock = try MockToken()
        let error = try provision(mock, policy(suite, allowsHostHeld: false))
        #expect(error?.code == .residenceRefused && error?.remedy == .allowHostHeld)
        #expect(try mock.objectCount() == 0)
    }

    @Test func `On a token without public objects dk items, and the index, work from the first unlock on`() throws {
        let test = try MockVault(Self.closed, policy: policy())
        for record in test.keys.records {
            #expect((record.residence == .hostHeld) == (record.id.accessibility.availability != .whileUnlocked))
        }
        let early = fault { () throws(KeychainError) in _ = try test.vault.index(.copyMatching) }
        #expect(early?.code == .interactionNotAllowed && early?.remedy == .unlock)
        #expect(test.vault.indexIfOpen == nil)
        #expect(!test.vault.allows(test.id(.always)))
        try test.vault.unlock(test.mock.token.pin())
        let binding = try test.binding(.always)
        let blob = try test.seal(binding)
        _ = try test.vault.index(.copyMatching)
        try test.vault.lock()
        #expect(try test.open(blob, binding) == [7, 8, 9])
        #expect(test.vault.indexIfOpen != nil)
        try test.vault.end(LastLock(.explicit, time: 0))
        #expect(test.vault.indexIfOpen == nil)
    }

    @Test func `A key that the host holds costs one token operation at the first unlock and none afterwards`() throws {
        let test = try MockVault(Self.closed, policy: policy()).unlocked()
        let binding = try test.binding(.afterFirstUnlock)
        let blob = try test.seal(binding)
        let before = test.vault.token.calls.snapshot()
        #expect(try test.open(blob, binding) == [7, 8, 9])
        #expect(test.vault.token.calls.snapshot() == before)
    }

    @Test func `A key that the host holds goes with the token`() throws {
        let test = try MockVault(Self.closed, policy: policy()).unlocked()
        let binding = try test.binding(.afterFirstUnlock)
        let blob = try test.seal(binding)
        test.mock.script(.remove())
        test.vault.checkToken()
        #expect(test.vault.lockState == .noToken)
        #expect(test.vault.indexIfOpen == nil)
        let failure = #expect(throws: OpenFailure.self) { _ = try test.open(blob, binding) }
        guard case .unavailable = failure else { throw KeychainError(.internalError, .verify) }
    }

    @Test func `A sealed host key that was changed is damage of its class alone`() throws {
        let test = try MockVault(Self.closed, policy: policy())
        let records = test.keys.records.map { record in
            guard record.id.accessibility == .afterFirstUnlock else { return record }
            var material = record.material
            material.held = material.held.map { $0.dropLast() + [$0[$0.count - 1] ^ 1] }
            return record.with(material)
        }
        let vault = try test.reopened(records)
        try vault.unlock(test.mock.token.pin())
        let error = fault { () throws(KeychainError) in _ = try vault.classKey(test.id(.afterFirstUnlock), .add) }
        #expect(error?.code == .storeDamaged && error?.subject == .classKey(.afterFirstUnlock))
        _ = try vault.classKey(test.id(.afterFirstUnlockThisDeviceOnly), .add)
    }

    @Test(arguments: [Suite.rsaOAEP, .ecdhP256])
    func `A pair of the token that reads otherwise than it was made is not used`(suite: Suite) throws {
        let test = try MockVault(policy: policy(suite)).unlocked()
        test.mock.script(.read(.extractable, [1]))
        let error = fault { () throws(KeychainError) in _ = try test.vault.classKey(test.id(.whenUnlocked), .add) }
        #expect(error?.code == .residenceRefused && error?.subject == .classKey(.whenUnlocked))
    }

    @Test func `What seals a key of the host has to read as it was made`() throws {
        let test = try MockVault(Self.closed, policy: policy())
        test.mock.script(.read(.sensitive, [0]))
        let pin = try test.mock.token.pin()
        let error = fault { () throws(KeychainError) in try test.vault.unlock(pin) }
        #expect(error?.code == .residenceRefused)
        #expect(try !test.isLoggedIn())
    }

    @Test(arguments: [Suite.rsaOAEP, .ecdhP256])
    func `A public half that was exchanged in the store is found before anything is sealed to it`(suite: Suite) throws {
        let test = try MockVault(policy: policy(suite))
        let foreign = try #require(test.keys.records.first { $0.id.accessibility == .whenUnlockedThisDeviceOnly })
        let records = test.keys.records.map { record in
            guard record.id.accessibility == .whenUnlocked else { return record }
            var material = record.material
            material.publicHalf = foreign.material.publicHalf
            return record.with(material)
        }
        let vault = try test.reopened(records)
        try vault.unlock(test.mock.token.pin())
        let error = fault { () throws(KeychainError) in _ = try vault.classKey(test.id(.whenUnlocked), .add) }
        #expect(error?.code == .storeDamaged && error?.subject == .classKey(.whenUnlocked))
    }

    @Test(arguments: [Suite.rsaOAEP, .ecdhP256])
    func `Who can seal to the public half still cannot make a value without the metadata key`(suite: Suite) throws {
        let test = try MockVault(policy: policy(suite)).unlocked()
        let binding = try test.binding(.whenUnlocked)
        var blob = try test.seal(binding)
        // The item key of another value of the same item, sealed to the public half with the same associated data.
        let sealing = try test.vault.classKey(binding.key, .add).sealing
        let forged = try SecretBytes(copying: [UInt8](repeating: 5, count: 32))
        let data = binding.associatedData(.itemKey, format: Envelope.version)
        try sealing.seal(forged, data, into: &blob, at: Envelope.valueHeaderSize)
        let start = Envelope.valueHeaderSize + sealing.sealedSize(of: 32)
        let value = try SecretBytes(copying: [1, 2, 3])
        try NonceSeal.seal(
            value, forged, binding.associatedData(.value, format: Envelope.version), into: &blob, at: start)
        #expect(throws: OpenFailure.damaged(.notAuthentic)) { _ = try test.open(blob, binding) }
    }

    @Test func `A blob of another suite than its class key's is damaged`() throws {
        let test = try MockVault().unlocked()
        let binding = try test.binding()
        var blob = try test.seal(binding)
        blob[1] = Suite.hmacKDF.rawValue
        #expect(throws: OpenFailure.damaged(.unknownSuite(3))) { _ = try test.open(blob, binding) }
        blob[1] = 99
        #expect(throws: OpenFailure.damaged(.unknownSuite(99))) { _ = try test.open(blob, binding) }
    }

    @Test func `A token that unwraps by RSA alone keeps the after-first-unlock keys inside all the same`() throws {
        let test = try MockVault([.answer(.wrapKey, .mechanismInvalid)]).unlocked()
        let later = test.keys.records.filter { $0.id.accessibility.availability == .afterFirstUnlock }
        #expect(later.allSatisfy { $0.residence == .unwrappedSession && $0.material.wrapped.first?.wrap == .rsa })
        let binding = try test.binding(.afterFirstUnlock)
        let blob = try test.seal(binding)
        try test.vault.lock()
        #expect(try test.open(blob, binding) == [7, 8, 9])
    }

    @Test func `A wrapping key is made without a template for what it unwraps where that is unknown`() throws {
        let test = try MockVault([.refuse(.generateKey, .unwrapTemplate, nil, .attributeTypeInvalid)]).unlocked()
        let late = test.keys.records.filter { $0.id.accessibility.availability == .afterFirstUnlock }
        #expect(late.allSatisfy { $0.residence == .unwrappedSession && $0.material.wrapped.first?.wrap == .aes })
    }

    private func provision(_ mock: MockToken, _ policy: KeyPolicy) throws -> KeychainError? {
        let (keychain, token) = (try Vault.freshUUID(.create), try mock.open())
        let pin = try mock.token.pin()
        return fault { () throws(KeychainError) in
            try Provisioner.run(keychain: keychain, token: token, policy, pin: pin, progress: { _ in }, keep: { _ in })
        }
    }
}

struct KeyMaterialTests {
    private func full() -> KeyMaterial {
        var material = KeyMaterial()
        material.wrapped = [WrappedKey(.aes, [1, 2]), WrappedKey(.rsa, [UInt8](repeating: 3, count: 300))]
        material.held = [4]
        material.publicHalf = []
        material.objectID = [5, 6]
        return material
    }

    @Test func `What is encoded is decoded`() {
        #expect(KeyMaterial(encoded: full().encoded) == full())
        #expect(KeyMaterial().encoded == nil)
        #expect(KeyMaterial(encoded: nil) == KeyMaterial())
    }

    @Test func `What is cut short, or names an unknown part, is no encoding`() throws {
        let bytes = try #require(full().encoded)
        let whole = Set([0, 5, 308, 312, 315, bytes.count])
        for count in 1..<bytes.count where !whole.contains(count) {
            #expect(KeyMaterial(encoded: Array(bytes[..<count])) == nil, "\(count)")
        }
        #expect(KeyMaterial(encoded: [9, 0, 0]) == nil)
    }
}

extension KeyRecord {
    /// The same with other material.
    func with(_ material: KeyMaterial) -> KeyRecord {
        KeyRecord(id: id, suite: suite, residence: residence, material: material, sealedMetadataKey: sealedMetadataKey)
    }
}
