// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobClient
internal import KeyfobDaemon
internal import KeyfobEngine
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobTestSupport
internal import Security
internal import Synchronization

/// An engine that is reached over sockets: every request and answer goes through the protocol and the kernel.
///
/// Each program has a socket of its own, at which it is given its groups; the daemon of a machine finds out by its
/// policies, which have their own tests.
final class DaemonUnderTest: KeychainUnderTest {
    private struct State {
        var keychain: TestKeychain
        var doors: [Entitlements: Door] = [:]
    }

    /// One socket, and the client that programs share which are given the same.
    private final class Door {
        let daemon: TestDaemon
        let client: DaemonClient

        init(_ engine: KeychainEngine, _ entitlements: Entitlements) throws {
            // Hundreds of rows have one each.
            var settings = ServerSettings()
            settings.workers = 2
            settings.connections = 64
            settings.connectionsForOwner = 8
            daemon = try TestDaemon(engine, entitlements: entitlements, settings: settings)
            client = daemon.client()
        }
    }

    private let state: Mutex<State>
    let storePath: String

    /// A new keychain, unlocked.
    ///
    /// - Parameter mock: the token; nil: one of its own that does nothing unusual.
    init(on mock: MockToken?, presence: Bool) throws {
        let keychain = try TestKeychain(token: mock?.token, uri: mock?.uri.string, presence: presence).unlocked()
        storePath = keychain.home.path + "/keychain.db"
        state = Mutex(State(keychain: keychain))
    }

    func use<R>(_ program: Program, _ body: () throws -> R) throws -> R {
        let entitlements = Entitlements(
            applicationIdentifier: program.applicationIdentifier, keychainAccessGroups: program.accessGroups,
            applicationGroups: program.applicationGroups)
        let client = try state.withLock { state in
            if let door = state.doors[entitlements] { return door.client }
            let made = try Door(state.keychain.engine, entitlements)
            state.doors[entitlements] = made
            return made.client
        }
        return try ServiceSelection.$scoped.withValue(client, operation: body)
    }

    func unlock() throws {
        _ = try state.withLock { try $0.keychain.unlocked() }
    }

    func lock() throws {
        try state.withLock { try $0.keychain.engine.lock() }
    }

    func restart() throws {
        try state.withLock { state in
            state.doors = [:]
            try state.keychain.reopen()
        }
    }

    func lookForToken() throws -> Bool {
        let engine = state.withLock { $0.keychain.engine }
        engine.checkToken()
        return engine.lockState != .noToken
    }

    func uuid() throws -> String {
        try state.withLock { try $0.keychain.engine.status().keychain.description }
    }

    func pin(wrong: Bool) throws -> Data {
        let token = state.withLock { $0.keychain.token }
        let pin = wrong ? try token.wrongPIN() : try token.pin()
        return pin.withBytes { Data($0.array) }
    }

    func changePIN() throws {
        try state.withLock { try $0.keychain.changePINByEngine() }
    }

    func removePasscode() throws {
        try state.withLock { try $0.keychain.unblock() }
    }
}
