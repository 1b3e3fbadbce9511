// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import Synchronization

/// The connections of a client, each lent to one thread at a time.
///
/// The first socket that answered stays the one: another daemon has another keychain. A child of a fork gives its
/// parent's connections up, for the daemon knows them as the parent's.
final class ConnectionPool: Sendable {
    /// Connections that are kept while nobody uses them; one more than threads usually need.
    private static let kept = 8

    private struct State {
        var idle: [DaemonConnection] = []
        var chosen: String?
        var process = ForkGuard()
    }

    private let sockets: [String]
    private let state = Mutex(State())

    /// - Parameter sockets: the paths to try, in order.
    init(_ sockets: [String]) {
        self.sockets = sockets
    }

    /// The path of the daemon that answered, or of the first that will be tried.
    var path: String { state.withLock { $0.chosen } ?? sockets.first ?? "" }

    /// A connection that works as far as one can see; a new one if `fresh` or none is idle.
    ///
    /// - Parameter mayBeStale: does not look at an idle one: for a request that can be sent again if it turns out to be
    ///   dead, which spares the others a call of the system.
    /// - Throws: `.daemonNotAnswering` naming the socket, `.permissions`.
    func take(fresh: Bool = false, mayBeStale: Bool = false) throws(KeychainError) -> DaemonConnection {
        var chosen: String?
        while true {
            let (idle, path) = state.withLock { state -> (DaemonConnection?, String?) in
                if state.process.isChild {
                    state.idle = []
                    state.process = ForkGuard()
                }
                if fresh { state.idle = [] }
                return (state.idle.popLast(), state.chosen)
            }
            chosen = path
            guard let idle else { break }
            if mayBeStale || !idle.isStale { return idle }
        }
        return try connect(chosen.map { [$0] } ?? sockets)
    }

    /// Keeps a connection whose exchange is complete.
    func giveBack(_ connection: DaemonConnection) {
        guard !connection.hasRest else { return }
        state.withLock { state in
            if state.idle.count < Self.kept && !state.process.isChild { state.idle.append(connection) }
        }
    }

    private func connect(_ paths: [String]) throws(KeychainError) -> DaemonConnection {
        var failure: KeychainError?
        for path in paths {
            do throws(KeychainError) {
                let made = try DaemonConnection(path)
                state.withLock { $0.chosen = $0.chosen ?? path }
                return made
            } catch {
                // The next one is for those who have no daemon here; one that refuses is told of.
                guard error.code == .daemonNotAnswering else { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? KeychainError(.daemonNotAnswering, .connect, remedy: .startDaemon)
    }
}
