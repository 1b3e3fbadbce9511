// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport

/// A keychain on the token under test; its keys and its folder go with it.
final class TokenKeychain {
    let home: KeychainHome
    /// As the labels of its keys have it.
    let uuid: String
    /// Nil when the test is over.
    private var opened: KeychainEngine?

    /// The keychain, opened.
    var engine: KeychainEngine {
        guard let opened else { fatalError("the test is over") }
        return opened
    }

    /// Makes the keychain; it is before first unlock.
    ///
    /// - Parameter presence: whether it tries to get a key for items that need a person.
    init(_ policy: KeyPolicy = .allowing, presence: Bool = false) throws {
        // A module that nobody uses is finalised: tpm2-pkcs11 keeps keys in the TPM that were made and destroyed.
        TestToken.shared.letModuleGo()
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-test-\(UUID().uuidString)"
        home = try KeychainHome.resolve(explicit: folder)
        var plan = KeychainPlan(token: TestToken.shared.uri.string)
        plan.makesPresenceKey = presence
        plan.keys = policy
        do {
            let engine = try KeychainEngine.create(home, plan, pin: TestToken.shared.pin())
            opened = engine
            uuid = try engine.status().keychain.description
        } catch {
            // What went wrong is the error to tell.
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Lends a keychain that is closed, and its keys destroyed, when the test is over.
    ///
    /// On a kind that makes no keys there is none, as `CreationTests` shows.
    static func with(
        _ policy: KeyPolicy = .allowing, presence: Bool = false, _ body: (TokenKeychain) throws -> Void
    ) throws {
        guard KeychainPromises.current != nil else { return }
        let keychain = try TokenKeychain(policy, presence: presence)
        let result = Result { try body(keychain) }
        try keychain.destroy()
        try result.get()
    }

    /// Closes it and destroys its keys.
    private func destroy() throws {
        engine.close()
        opened = nil
        // tpm2-pkcs11 destroys no key with which it has failed to decrypt, until it is started anew.
        TestToken.shared.letModuleGo()
        try FileManager.default.removeItem(atPath: home.path)
        try Bench.loggedIn { token in
            let session = try token.openSession(readWrite: true)
            for key in try Self.keys(session) where key.label.hasPrefix("keyfob/\(uuid)/") {
                try session.destroyObject(key.handle)
            }
        }
    }

    /// Every secret or private key that a session sees.
    static func keys(
        _ session: borrowing Session
    ) throws(PKCS11Error) -> [(handle: ObjectHandle, type: ObjectClass, label: String)] {
        var all: [(handle: ObjectHandle, type: ObjectClass, label: String)] = []
        for type: ObjectClass in [.secretKey, .privateKey] {
            var template = Template()
            template.set(type)
            for handle in try session.find(template, limit: 1_000) {
                // Whatever goes meanwhile is not seen.
                let label = try session.bytes(of: handle, .label) ?? []
                all.append((handle, type, String(decoding: label, as: UTF8.self)))
            }
        }
        return all
    }

    // MARK: - Use

    /// Logs in.
    func unlock() throws { try engine.unlock(TestToken.shared.pin()) }

    /// Closes the keychain and opens it again, as a new process would find it.
    func reopen() throws {
        engine.close()
        opened = nil
        opened = try KeychainEngine.open(home, patience: 30)
    }

    /// The keychain as a program sees it.
    var service: any KeychainService {
        engine.service(with: Entitlements(applicationIdentifier: "test", keychainAccessGroups: []))
    }
}

extension KeyPolicy {
    /// Allows that the host holds keys.
    static var allowing: KeyPolicy {
        var policy = KeyPolicy()
        policy.allowsHostHeld = true
        return policy
    }
}
