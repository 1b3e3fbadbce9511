// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Work on a thread of its own, whose outcome a test waits for.
package final class Background<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    package init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let result = Result { try body() }
            outcome.withLock { $0 = result }
            done.signal()
        }
    }

    /// Blocks until the work is over; once only.
    package func value() throws -> Value {
        done.wait()
        guard let result = outcome.withLock({ $0 }) else { fatalError("done without an outcome") }
        return try result.get()
    }
}
