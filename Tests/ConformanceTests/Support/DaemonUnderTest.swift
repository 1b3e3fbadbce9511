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
        /// From the one that was opened first.
        var order: [Entitlements] = []
    }

    /// More than there are programs at a time; what rows have left behind is closed.
    private static let mostDoors = 24

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
        // The server of the door that is dropped stops after the lock is given back.
        let (door, dropped) = try state.withLock { state -> (Door, Door?) in
            if let door = state.doors[entitlements] { return (door, nil) }
            let made = try Door(state.keychain.engine, entitlements)
            state.doors[entitlements] = made
            state.order.append(entitlements)
            guard state.order.count > Self.mostDoors else { return (made, nil) }
            return (made, state.doors.removeValue(forKey: state.order.removeFirst()))
        }
        withExtendedLifetime(dropped) {}
        return try withExtendedLifetime(door) {
            try ServiceSelection.$scoped.withValue(door.client, operation: body)
        }
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
            state.order = []
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
