// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Foundation
package import KeyfobModel
internal import Synchronization

/// Which keychain answers the SecItem calls of this process.
package enum ServiceSelection {
    /// The service of the code that runs inside `$scoped.withValue(_:operation:)`, before the process's own.
    ///
    /// For a host with several keychains, and for tests that run side by side.
    @TaskLocal package static var scoped: (any KeychainService)?

    private static let installed = Mutex<(any KeychainService)?>(nil)

    /// Whether SecurityEmbedded was asked to start; evaluated once, and everybody waits for it.
    private static let started: Bool = {
        guard let wish = ProcessInfo.processInfo.environment["KEYFOB_EMBEDDED"], wish == "1" else { return false }
        return keyfob_start_embedded() == 1
    }()

    static let missingService = KeychainError.Subject.parameter("KEYFOB_EMBEDDED")

    /// Makes `service` the one that answers from now on; nil takes it away.
    package static func install(_ service: (any KeychainService)?) {
        installed.withLock { $0 = service }
    }

    /// The service that answers.
    ///
    /// With none installed and `KEYFOB_EMBEDDED=1` the first call starts SecurityEmbedded, if the program links it, and
    /// blocks until the keychain is open.
    ///
    /// - Throws: `.notAvailable` if there is none.
    package static func current() throws(KeychainError) -> any KeychainService {
        if let service = scoped { return service }
        if let service = installed.withLock({ $0 }) { return service }
        if started, let service = installed.withLock({ $0 }) { return service }
        throw KeychainError(.notAvailable, .open, subject: missingService)
    }
}
