// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Lets one thread at a time open or close a session of a module: some modules lose sessions, or end the process, when
/// that is done in parallel.
///
/// One that does not get through is passed by: a call that hangs must not cost the others their token.
final class SessionDoor: Sendable {
    /// How long a thread waits for the one in the door.
    static let patience = Duration.seconds(2)

    /// Held across `C_OpenSession` and `C_CloseSession`; guards no data of ours.
    private let turn = Mutex(())

    /// Calls `body` when no other thread is in the door, or when that one has been waited for long enough.
    func pass(patience: Duration = SessionDoor.patience, _ body: () -> ReturnValue) -> ReturnValue {
        let deadline = MonotonicTime.after(patience).nanoseconds
        while MonotonicTime.now.nanoseconds < deadline {
            if let value = turn.withLockIfAvailable({ _ in body() }) { return value }
            MonotonicTime.pause(.milliseconds(1))
        }
        return body()
    }
}
