// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Counts the statements that the connections it is given to begin; gates and tests read it.
///
/// Any thread may.
package final class StatementCounter: Sendable {
    private let begun = Atomic<Int>(0)

    package init() {}

    /// Statements begun since the counter was made, transaction control included.
    package var count: Int { begun.load(ordering: .relaxed) }

    func add() {
        begun.add(1, ordering: .relaxed)
    }
}
