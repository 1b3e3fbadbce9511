// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import Synchronization

/// A value that one thread sets and another reads.
final class Held<Value: Sendable>: Sendable {
    private let held: Mutex<Value>

    init(_ value: Value) {
        held = Mutex(value)
    }

    var value: Value { held.withLock { $0 } }

    func set(_ value: Value) { held.withLock { $0 = value } }
}

extension ListeningSocket {
    struct Nobody: Error {}

    /// The connection that has been made.
    func accepted() throws -> UnixSocket {
        guard let socket = try accept() else { throw Nobody() }
        return socket
    }
}
