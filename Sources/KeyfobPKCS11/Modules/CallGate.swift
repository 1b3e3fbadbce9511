// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The gate before a module's functions, shut while the module is started anew: no call may run then, and no handle of
/// before means anything after.
///
/// A passage costs two atomic additions; nobody waits but who shuts the gate.
final class CallGate: Sendable {
    /// The bit that says shut; the bits below count the calls inside.
    private static let shut = 1 << 62

    private let state = Atomic<Int>(0)
    private let starts = Atomic<Int>(0)

    /// Counts the starts of the module: handles of another generation are dead.
    var generation: Int { starts.load(ordering: .acquiring) }

    /// Begins a call, which must `leave`; false while the gate is shut.
    func enter() -> Bool {
        guard state.add(1, ordering: .acquiring).newValue < Self.shut else {
            leave()
            return false
        }
        return true
    }

    /// Ends a call.
    func leave() {
        state.subtract(1, ordering: .releasing)
    }

    /// Shuts the gate and waits for the calls inside to end; the caller must `open` it.
    ///
    /// - Returns: false, with the gate open again, if another thread has shut it or a call has not ended in time.
    func shut(patience: Duration) -> Bool {
        guard state.bitwiseOr(Self.shut, ordering: .acquiring).oldValue < Self.shut else { return false }
        let deadline = MonotonicTime.after(patience).nanoseconds
        while state.load(ordering: .acquiring) != Self.shut {
            guard MonotonicTime.now.nanoseconds < deadline else {
                open()
                return false
            }
            MonotonicTime.pause(.milliseconds(1))
        }
        return true
    }

    /// Opens the gate; `restarted` makes every handle of before a dead one.
    func open(restarted: Bool = false) {
        if restarted { starts.add(1, ordering: .releasing) }
        state.bitwiseAnd(~Self.shut, ordering: .releasing)
    }
}
