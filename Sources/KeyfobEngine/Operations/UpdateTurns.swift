// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Puts updates that lost to others several times in a row one behind the other, so that each gets through.
///
/// Updates are optimistic: seal first, then write if no row changed meanwhile. Many threads on one item could lose for
/// ever; those that have lost take turns. Held across token calls and statements of the update whose turn it is, and
/// guards no data: nobody else ever waits for it.
final class UpdateTurns: Sendable {
    private let turn = Mutex(())

    /// Runs `body` when the turn has come.
    func take<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try turn.withLock { (_) throws(E) in try body() }
    }
}
