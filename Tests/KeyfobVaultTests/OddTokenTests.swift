// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Habits of tokens that a keychain has to put up with, and those that it must not.
@Suite(.lendsTokens) struct OddTokenTests {
    private func policy(_ suite: Suite? = nil) -> KeyPolicy {
        var policy = KeyPolicy()
        policy.suite = suite
        policy.allowsHostHeld = true
        return policy
    }

    /// A token that makes no pair with a session object, and none that denies a use, as tpm2-pkcs11.
    private static let wide: [MockStep] = [
        .refuse(.generateKeyPair, .token, [0], .attributeValueInvalid),
        .refuse(.generateKeyPair, .sign, [0], .generalError),
    ]

    /// A token that makes no public keys at all.
    private static let closed =
        MockStep.refusesPublicObjects + [.refuse(.generateKey, .private, [0], .templateInconsistent)]

    @Test func `A token that makes RSA pairs only with every use gets them, and keeps no public half`() throws {
        let test = try MockVault(Self.wide, policy: policy(.rsaOAEP)).unlocked()
        let binding = try test.binding()
        #expect(try test.open(try test.seal(binding), binding) == [7, 8, 9])
        #expect(try test.mock.objectCount() == Accessibility.allCases.count)
    }

    @Test func `What a token of wide pairs refuses is asked for once`() throws {
        let mock = try MockToken()
        mock.script(Self.wide)
        let token = try mock.open()
        _ = try TestVault.provision(try Vault.freshUUID(.create), token, policy(.rsaOAEP), pin: mock.token.pin())
        #expect(token.makesWidePairs)
        // A trial of a session's pair, three of a token's; then the always key's trial and one for each class.
        #expect(mock.module.calls(of: .generateKeyPair) == 4 + 1 + Accessibility.allCases.count)
    }

    @Test func `A pair whose handles name another object is refused, and nothing of others is destroyed`() throws {
        let mock = try MockToken()
        mock.script(.read(.id, [1, 2, 3]))
        let token = try mock.open()
        let before = try mock.objectCount()
        let error = fault { () throws(KeychainError) in
            do {
                _ = try TestVault.provision(
                    try Vault.freshUUID(.create), token, policy(.rsaOAEP), pin: mock.token.pin())
            } catch let error as KeychainError { throw error } catch { throw KeychainError(.internalError, .create) }
        }
        #expect(error != nil)
        #expect(mock.module.calls(of: .destroyObject) == 0)
        #expect(try mock.objectCount() >= before)
    }

    @Test func `A device error that is the answer to a template inside a template is got round`() throws {
        let test = try MockVault([.refuse(.generateKey, .unwrapTemplate, nil, .deviceError)]).unlocked()
        let record = try #require(test.keys.records.first { $0.id.accessibility == .afterFirstUnlock })
        #expect(record.residence == .unwrappedSession)
    }

    @Test func `A token that keeps its answers but has no random numbers any more is gone, and back with them`() throws
    {
        let test = try MockVault(Self.closed, policy: policy()).unlocked()
        #expect(test.keys.records.contains { $0.id.accessibility == .always && $0.residence == .hostHeld })
        test.mock.script(.answer(.generateRandom, .generalError, times: MockStep.forever))
        test.vault.checkToken()
        #expect(test.vault.lockState == .noToken)
        test.mock.module.reset()
        #expect(
            eventually { () -> Bool in
                test.vault.checkToken()
                return test.vault.lockState == .beforeFirstUnlock
            })
    }

    @Test func `A token that makes no random numbers is not gone`() throws {
        let test = try MockVault(Self.closed, policy: policy()).unlocked()
        test.mock.script(.answer(.generateRandom, .randomNoRNG, times: MockStep.forever))
        test.vault.checkToken()
        #expect(test.vault.lockState == .unlocked)
    }
}
