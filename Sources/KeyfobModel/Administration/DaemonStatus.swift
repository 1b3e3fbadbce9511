// SPDX-License-Identifier: Apache-2.0

/// What a daemon says of itself besides the keychain's status.
package struct DaemonStatus: Hashable, Sendable {
    /// The path of its socket.
    package let socket: String
    /// Seconds since it began to serve.
    package let uptime: Double
    /// Programs that are connected now.
    package let connections: Int
    /// Requests that wait for a worker now.
    package let queued: Int
    /// Workers that are in a token call past its deadline.
    package let stuckWorkers: Int

    package init(socket: String, uptime: Double, connections: Int, queued: Int, stuckWorkers: Int) {
        self.socket = socket
        self.uptime = uptime
        self.connections = connections
        self.queued = queued
        self.stuckWorkers = stuckWorkers
    }
}
