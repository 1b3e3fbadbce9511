// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobTestSupport
internal import SecurityEmbedded
internal import Synchronization

/// The engine in this process.
final class EmbeddedUnderTest: KeychainUnderTest {
    private let keychain: Mutex<TestKeychain>
    let storePath: String

    /// A new keychain, unlocked.
    ///
    /// - Parameter mock: the token; nil: one of its own that does nothing unusual.
    init(on mock: MockToken?, presence: Bool) throws {
        let keychain = try TestKeychain(token: mock?.token, uri: mock?.uri.string, presence: presence).unlocked()
        storePath = keychain.home.path + "/keychain.db"
        self.keychain = Mutex(keychain)
    }

    func use<R>(_ program: Program, _ body: () throws -> R) throws -> R {
        let engine = keychain.withLock { $0.engine }
        let entitlements = Entitlements(
            applicationIdentifier: program.applicationIdentifier, keychainAccessGroups: program.accessGroups,
            applicationGroups: program.applicationGroups)
        return try EmbeddedKeychain(over: engine).use(entitlements, body)
    }

    func unlock() throws {
        _ = try keychain.withLock { try $0.unlocked() }
    }

    func lock() throws {
        try keychain.withLock { try $0.engine.lock() }
    }

    func restart() throws {
        try keychain.withLock { try $0.reopen() }
    }

    func lookForToken() throws -> Bool {
        let engine = keychain.withLock { $0.engine }
        engine.checkToken()
        return engine.lockState != .noToken
    }

    func uuid() throws -> String {
        try keychain.withLock { try $0.engine.status().keychain.description }
    }

    func pin(wrong: Bool) throws -> Data {
        let token = keychain.withLock { $0.token }
        let pin = wrong ? try token.wrongPIN() : try token.pin()
        return pin.withBytes { Data($0.array) }
    }

    func changePIN() throws {
        try keychain.withLock { try $0.changePINByEngine() }
    }

    func removePasscode() throws {
        try keychain.withLock { try $0.unblock() }
    }
}
