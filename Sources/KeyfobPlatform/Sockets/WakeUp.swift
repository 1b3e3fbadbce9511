// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc

/// What one thread wakes others up with that wait in an `EventQueue` (eventfd(2)).
package struct WakeUp: ~Copyable, Sendable {
    /// Readable from `signal` until `clear`.
    package let descriptor: Descriptor

    package init() throws(PosixError) {
        let number = keyfob_event_counter()
        guard number >= 0 else { throw .last("eventfd") }
        descriptor = Descriptor(owning: number)
    }

    /// Wakes whoever waits for the descriptor, now and until `clear`; never blocks.
    package func signal() {
        var one: UInt64 = 1
        // It fails only when the counter is full, and then it is readable as it should be.
        _ = unsafe Glibc.write(descriptor.rawValue, &one, 8)
    }

    /// Lets them wait again.
    package func clear() {
        var count: UInt64 = 0
        // It fails only when nobody has signalled.
        _ = unsafe Glibc.read(descriptor.rawValue, &count, 8)
    }

    /// Blocks until somebody signals, or `timeout` has passed; whether somebody did.
    package func wait(_ timeout: Duration?) -> Bool {
        let end = timeout.map { Moment.now + $0 }
        while true {
            var one = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            let left = end.map { Moment.now.duration(to: $0).pollMilliseconds }
            let count = unsafe poll(&one, 1, left ?? -1)
            if count > 0 { return true }
            if count == 0 { return false }
        }
    }
}
