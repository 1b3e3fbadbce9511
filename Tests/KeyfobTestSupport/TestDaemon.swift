// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import KeyfobClient
package import KeyfobDaemon
package import KeyfobEngine
internal import KeyfobModel
internal import KeyfobPlatform

/// Sockets at which an engine of this process is served, as a daemon serves it; gone with the last user.
package final class TestDaemon {
    private let server: KeychainServer
    /// Where it listens.
    package let socket: String

    /// Serves the engine, which stays its owner's to close after this.
    ///
    /// - Parameter entitlements: What every caller is given; nil: what the policies say.
    package init(
        _ engine: KeychainEngine, entitlements: Entitlements? = nil, owner: UInt32 = geteuid(),
        settings: ServerSettings = ServerSettings()
    ) throws {
        socket = FileManager.default.temporaryDirectory.path + "/keyfob-\(UUID().uuidString).sock"
        server = try KeychainServer(
            engine, owner: OwnerRule(uid: owner), settings, entitlements: entitlements)
        server.listen(on: try ListeningSocket.listen(socket))
        try server.start(socket: socket)
    }

    deinit {
        server.stop(grace: .seconds(10))
    }

    /// A client of its own.
    package func client() -> DaemonClient { DaemonClient(sockets: [socket]) }
}
