// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// What a keychain on the token is made of.
    @Suite struct CreationTests {
        @Test func `A keychain has the suite and the residences of its kind`() throws {
            try TokenKeychain.with { keychain in
                let promise = try #require(KeychainPromises.current)
                let keys = try keychain.engine.status().keys
                #expect(Set(keys.map(\.id.accessibility)) == Set(Accessibility.allCases))
                for key in keys {
                    #expect(key.suite == promise.suite, "\(key.id.accessibility.code)")
                    #expect(
                        key.residence == promise.residence(key.id.accessibility), "\(key.id.accessibility.code)")
                }
            }
        }

        @Test func `A token that keeps every key inside needs no allowance, and any other is refused without one`()
            throws
        {
            guard let promise = KeychainPromises.current else { return try NoKeychain.check(KeyPolicy()) }
            guard promise.needsHost else { return try TokenKeychain.with(KeyPolicy()) { _ in } }
            do {
                _ = try TokenKeychain(KeyPolicy())
                Issue.record("the host holds keys that it was not allowed to")
            } catch let error as KeychainError {
                #expect(error.code == .residenceRefused)
                #expect(error.remedy == .allowHostHeld)
            }
            try Bench.loggedIn { token in
                let session = try token.openSession(readWrite: false)
                let left = try TokenKeychain.keys(session).map(\.label).filter { $0.hasPrefix("keyfob/") }
                #expect(left == [])
            }
        }

        @Test func `With allowance no key is held by the host that the token keeps`() throws {
            try TokenKeychain.with(.allowing) { keychain in
                let promise = try #require(KeychainPromises.current)
                let held = try keychain.engine.status().keys.filter { $0.residence == .hostHeld }
                #expect(held.isEmpty == !promise.needsHost)
                #expect(held.allSatisfy { $0.id.accessibility.availability != .whileUnlocked })
            }
        }

        @Test func `The first login finds out whether the token asks for the PIN at each use`() throws {
            try TokenKeychain.with(presence: true) { keychain in
                try keychain.unlock()
                let promise = try #require(KeychainPromises.current)
                #expect(try keychain.engine.status().presence == (promise.asksAtEachUse ? .enforced : .refused))
                try KeychainCall.add(keychain.service, "mail")
                #expect(try KeychainCall.value(keychain.service, "mail") == [1, 2, 3])
                try keychain.engine.lock()
            }
        }
    }
}
