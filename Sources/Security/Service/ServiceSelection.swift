// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Foundation
internal import KeyfobClient
package import KeyfobModel
internal import Synchronization

/// Which keychain answers the SecItem calls of this process.
package enum ServiceSelection {
    /// The service of the code that runs inside `$scoped.withValue(_:operation:)`, before the process's own.
    ///
    /// For a host with several keychains, and for tests that run side by side.
    @TaskLocal package static var scoped: (any KeychainService)?

    private static let installed = Mutex<(any KeychainService)?>(nil)

    /// What came of `KEYFOB_EMBEDDED`.
    enum Autostart {
        case notAsked
        case notLinked
        /// SecurityEmbedded ran; it says itself why there is no keychain, if there is none.
        case tried

        /// What to do about a keychain that is missing.
        var hint: String {
            switch self {
            case .notAsked:
                "start the daemon (keyfobd --user, or systemctl start keyfobd), or link SecurityEmbedded and call "
                    + "EmbeddedKeychain.open()"
            case .notLinked: "KEYFOB_EMBEDDED is set, and the program does not link SecurityEmbedded: link it"
            case .tried: "the embedded keychain did not open; the line before says why"
            }
        }
    }

    /// Starts SecurityEmbedded if it was asked for; evaluated once, and everybody waits for it.
    static let autostart: Autostart = {
        guard ProcessInfo.processInfo.environment["KEYFOB_EMBEDDED"] == "1" else { return .notAsked }
        return keyfob_start_embedded() == 1 ? .tried : .notLinked
    }()

    static let missingService = KeychainError.Subject.parameter("KEYFOB_EMBEDDED")

    /// The daemon's client, once one has answered.
    private static let daemon = Mutex<DaemonClient?>(nil)

    private static func reachDaemon() throws(KeychainError) -> (any KeychainService)? {
        if let client = daemon.withLock({ $0 }) { return client }
        guard let client = try DaemonClient.reach() else { return nil }
        // Two threads may have reached it at once: one client is everybody's.
        return daemon.withLock { known in
            let chosen = known ?? client
            known = chosen
            return chosen
        }
    }

    /// Makes `service` the one that answers from now on; nil takes it away.
    package static func install(_ service: (any KeychainService)?) {
        installed.withLock { $0 = service }
    }

    /// The service that answers.
    ///
    /// With none installed and `KEYFOB_EMBEDDED=1` the first call starts SecurityEmbedded, if the program links it, and
    /// blocks until the keychain is open. Otherwise it is the daemon that answers at one of `DaemonSocket.candidates`;
    /// the first one that does stays the program's.
    ///
    /// - Throws: `.notAvailable` if there is none; `.permissions` if a daemon is there that this user may not use.
    package static func current() throws(KeychainError) -> any KeychainService {
        if let service = scoped { return service }
        if let service = installed.withLock({ $0 }) { return service }
        switch autostart {
        case .tried: if let service = installed.withLock({ $0 }) { return service }
        case .notAsked: if let daemon = try reachDaemon() { return daemon }
        case .notLinked: break
        }
        throw KeychainError(.notAvailable, .open, subject: missingService)
    }
}
