// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobVault
internal import Synchronization

/// A thread that wipes opened item keys when they have been kept for as long as the configuration allows, whether or not
/// anybody asks for them.
final class ItemKeyWiper: Sendable {
    /// After the machine slept a key may be this much too old; it is not used any more then.
    private static let longestPause: UInt64 = 10_000_000_000
    private static let shortestPause: UInt64 = 10_000_000

    private let ticker: Ticker
    private let process = ForkGuard()
    private let hasStopped = Atomic(false)

    /// Begins.
    ///
    /// - Throws: `.inputOutput` if there is no descriptor or no thread for it.
    init(_ vault: Vault) throws(KeychainError) {
        do throws(PosixError) {
            ticker = try Ticker("keyfob-wipe", after: Self.pause(vault)) { Self.pause(vault) }
        } catch {
            throw KeychainError(.inputOutput, .open, cause: .posix(call: error.call, errno: error.errno))
        }
    }

    deinit {
        stop()
    }

    /// Ends the thread; in a child of the process that has it there is none.
    func stop() {
        guard !hasStopped.exchange(true, ordering: .relaxed), !process.isChild else { return }
        ticker.stop()
    }

    /// Wipes what is due, and says how long nothing more will be.
    private static func pause(_ vault: Vault) -> Duration {
        let next = vault.wipeExpiredItemKeys() ?? longestPause
        return .nanoseconds(Int64(min(max(next, shortestPause), longestPause)))
    }
}
