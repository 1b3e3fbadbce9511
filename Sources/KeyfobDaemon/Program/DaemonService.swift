// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel

/// What the daemon's program starts, tells about signals, and stops: engine and server behind one face.
///
/// `start`, `reload`, `lock` and `stop` come from the main thread, one at a time. `isHealthy` and `statusLine` too,
/// between them and often: they must answer at once, without a token call.
package protocol DaemonService: AnyObject, Sendable {
    /// Opens the keychain, unlocks it if that can be done without asking, listens, and returns.
    ///
    /// - Throws: why it cannot serve; a keychain that stays locked is no such reason.
    func start() throws(KeychainError)

    /// Reads policies again (SIGHUP); after an error what was in force stays so.
    func reload() throws(KeychainError)

    /// Locks the keychain: for SIGUSR1.
    func lock(_ reason: LockReason) throws(KeychainError)

    /// Takes no more requests, lets those that run finish for at most `grace`, locks and closes the keychain.
    func stop(grace: Duration)

    /// Whether requests are being answered; the manager's watchdog is told so only while it is true.
    var isHealthy: Bool { get }

    /// How things stand, in one line for the manager.
    var statusLine: String { get }
}
