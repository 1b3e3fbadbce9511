// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A value that several threads change, one at a time.
package final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    package init(_ value: Value) {
        self.value = Mutex(value)
    }

    /// The value now.
    package var now: Value { value.withLock { $0 } }

    /// Changes it.
    package func change(_ body: (inout sending Value) -> Void) {
        value.withLock { body(&$0) }
    }
}
