// SPDX-License-Identifier: Apache-2.0
package import KeyfobEngine
package import KeyfobModel
package import KeyfobPlatform
internal import Synchronization

/// Serves an open engine on sockets; the engine stays its owner's to close.
package final class KeychainServer: Sendable {
    /// How many workers may hang before the manager should restart the daemon.
    private static let stuckLimit = 16

    private let server: Server
    private let engine: KeychainEngine
    private let place: Place

    /// What the handler says of the server that it is part of.
    private final class Place: Sendable {
        struct State {
            weak var server: Server?
            var socket = ""
            var start = Moment.now
        }

        let state = Mutex(State())

        var counts: ServerCounts { state.withLock { $0.server }?.counts ?? ServerCounts() }

        var uptime: Double {
            let parts = state.withLock { $0.start }.duration(to: .now).components
            return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
        }

        var status: DaemonStatus {
            let counts = counts
            return DaemonStatus(
                socket: state.withLock { $0.socket }, uptime: uptime, connections: counts.connections,
                queued: counts.queued, stuckWorkers: counts.writtenOff)
        }
    }

    /// A server that listens nowhere yet.
    ///
    /// - Parameters:
    ///   - triggers: By what the keychain is locked without being asked, for the status.
    ///   - entitlements: What every caller is given whatever the policies say, for tests; nil: what they say.
    /// - Throws: as `Server.init`.
    package init(
        _ engine: KeychainEngine, owner: OwnerRule, _ settings: ServerSettings = ServerSettings(),
        triggers: @escaping @Sendable () -> LockTriggers = { LockTriggers() }, entitlements: Entitlements? = nil
    ) throws(KeychainError) {
        let place = Place()
        let meter = Meter()
        let keychain = KeychainHandler(
            engine, owner: owner, daemonStatus: { place.status }, triggers: triggers,
            metrics: { DaemonMetrics.text(engine, meter, place.counts, uptime: place.uptime) })
        let handler = ProtocolHandler(keychain, owner: owner, meter: meter) { caller in
            CallerSession(caller, engine, entitlements: entitlements)
        }
        server = try Server(handler, settings)
        self.engine = engine
        self.place = place
        place.state.withLock { $0.server = server }
    }

    /// Serves on this socket too; before `start` only.
    package func listen(on socket: consuming ListeningSocket) {
        server.listen(on: socket)
    }

    /// Begins to serve, and returns.
    ///
    /// - Parameter socket: the path that `daemonStatus` names.
    /// - Throws: as `Server.start`.
    package func start(socket: String) throws(KeychainError) {
        place.state.withLock { state in
            state.socket = socket
            state.start = .now
        }
        try server.start()
    }

    /// Ends as `Server.stop` does.
    package func stop(grace: Duration) {
        server.stop(grace: grace)
    }

    /// Whether requests are being answered.
    package var isHealthy: Bool { server.counts.writtenOff < Self.stuckLimit }

    /// What the server has done and does.
    package var counts: ServerCounts { server.counts }
}
