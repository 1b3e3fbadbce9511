// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Notices that the process was forked: PKCS #11 sessions, database connections and locks do not survive that.
///
/// A value remembers the process it was made in. Asking costs one load, no system call.
package struct ForkGuard: Sendable {
    private static let forks = Atomic<Int>(0)
    private static let isWatching: Bool = pthread_atfork(nil, nil, { forks.add(1, ordering: .relaxed) }) == 0

    private let made: Int

    /// Remembers the process as it is now.
    package init() {
        precondition(Self.isWatching, "pthread_atfork takes a handler unless memory has run out")
        made = Self.forks.load(ordering: .relaxed)
    }

    /// Whether this is a child of the process that the value was made in.
    package var isChild: Bool { Self.forks.load(ordering: .relaxed) != made }
}
