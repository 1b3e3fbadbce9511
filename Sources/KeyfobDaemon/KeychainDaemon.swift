// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobEngine
package import KeyfobModel
internal import KeyfobPlatform
package import KeyfobSystemd
internal import Synchronization

/// The daemon: one keychain, served to many programs.
package final class KeychainDaemon: DaemonService {
    private struct State {
        var sockets: [ActivatedSocket]
        var keychain: DaemonKeychain?
        var service: KeychainServer?
        var tickers: [Ticker] = []
        var locks: AutomaticLocks?
        var sandbox: SandboxFolder?
    }

    /// How often the audit log is sealed while it grows.
    private static let auditPause = Duration.seconds(60)
    /// How often the token is asked whether it is there.
    private static let tokenPause = Duration.seconds(2)

    private let settings: DaemonSettings
    private let state: Mutex<State>

    /// Opens nothing yet.
    ///
    /// - Parameter sockets: what the manager listens on for us; none: the settings name the path.
    package init(_ settings: DaemonSettings, _ sockets: [ActivatedSocket]) {
        self.settings = settings
        state = Mutex(State(sockets: sockets))
    }

    package func start() throws(KeychainError) {
        guard let path = settings.sandbox else { return try serve(try DaemonKeychain(settings)) }
        let sandbox = try SandboxFolder.join(path)
        do throws(KeychainError) {
            try serve(try DaemonKeychain(making: sandbox, idle: settings.idle))
        } catch {
            sandbox.removeOrSay()
            throw error
        }
        state.withLock { $0.sandbox = sandbox }
    }

    private func serve(_ keychain: DaemonKeychain) throws(KeychainError) {
        let locks = AutomaticLocks(keychain.engine, idle: keychain.idle, watchesSleep: settings.sandbox == nil)
        var tickers: [Ticker] = []
        do throws(KeychainError) {
            let service = try KeychainServer(
                keychain.engine, owner: ownerRule(keychain.engine), serverSettings(keychain.engine),
                triggers: { locks.triggers })
            var path = settings.socket
            let activated = state.withLock { state in
                defer { state.sockets = [] }
                return state.sockets
            }
            if activated.isEmpty {
                try settings.prepareSocketFolder()
                service.listen(on: try ListeningSocket.listen(path, mode: settings.socketMode))
            }
            for socket in activated {
                let listening = try ListeningSocket.adopt(Descriptor(owning: socket.descriptor))
                if !listening.path.isEmpty { path = listening.path }
                service.listen(on: listening)
            }
            keychain.unlockWithoutAsking(settings)
            try service.start(socket: path)
            try keychain.engine.announce(socket: path)
            tickers.append(
                try ticker("keyfobd-audit", every: Self.auditPause) { keychain.engine.checkpointAuditIfDue() })
            tickers.append(
                try ticker("keyfobd-token", every: Self.tokenPause) { [settings] in keychain.followToken(settings) })
            try locks.start()
            state.withLock { [tickers] state in
                state.keychain = keychain
                state.service = service
                state.tickers = tickers
                state.locks = locks
            }
            Log.shared.notice("serving keychain \(keychain.engine.home.path) at \(path)")
        } catch {
            locks.stop()
            for ticker in tickers { ticker.stop() }
            keychain.engine.close()
            throw error
        }
    }

    private func ticker(
        _ name: String, every pause: Duration, _ tick: @escaping @Sendable () -> Void
    ) throws(KeychainError) -> Ticker {
        do { return try Ticker(name, every: pause, tick) } catch {
            throw KeychainError(.inputOutput, .serve, cause: .posix(call: error.call, errno: error.errno))
        }
    }

    package func reload() throws(KeychainError) {
        guard let engine = state.withLock({ $0.keychain })?.engine else { return }
        var failure: KeychainError?
        do throws(KeychainError) { try engine.reloadPolicies() } catch { failure = error }
        // What is recorded is that it was tried, and how it went.
        try engine.record(AccessEvent(.reload, result: failure?.code))
        if let failure { throw failure }
    }

    package func lock(_ reason: LockReason) throws(KeychainError) {
        try state.withLock { $0.keychain }?.engine.lock(reason)
    }

    package func stop(grace: Duration) {
        let (service, keychain, tickers, locks) = state.withLock {
            ($0.service, $0.keychain, $0.tickers, $0.locks)
        }
        service?.stop(grace: grace)
        locks?.stop()
        for ticker in tickers { ticker.stop() }
        keychain?.engine.close()
        state.withLock { $0.sandbox }?.removeOrSay()
    }

    package var isHealthy: Bool { state.withLock { $0.service }?.isHealthy ?? false }

    package var statusLine: String { state.withLock { $0.keychain }?.statusLine ?? "starting" }

    private func serverSettings(_ engine: KeychainEngine) -> ServerSettings {
        var settings = ServerSettings()
        if let seconds = engine.configuration.requestDeadline { settings.requestDeadline = .seconds(seconds) }
        return settings
    }

    private func ownerRule(_ engine: KeychainEngine) throws(KeychainError) -> OwnerRule {
        guard let name = engine.configuration.adminGroup else { return OwnerRule(uid: geteuid()) }
        guard let group = Accounts.group(name) ?? UInt32(name) else {
            throw KeychainError(
                .configurationInvalid, .serve, subject: .parameter("admin-group"),
                cause: .format(place: "group \(Printable.text(name))", fault: "does not exist"),
                remedy: .fixConfiguration)
        }
        return OwnerRule(uid: geteuid(), group: group)
    }
}
