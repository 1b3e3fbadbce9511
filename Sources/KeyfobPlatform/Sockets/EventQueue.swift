// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc

/// Waits for many descriptors at once (epoll(7)); any thread may wait and change what is waited for.
package struct EventQueue: ~Copyable, Sendable {
    /// What a descriptor is waited for.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Bytes to read, a connection to accept, or the end.
        package static let readable = Self(rawValue: keyfob_epoll_in)
        /// Room to write.
        package static let writable = Self(rawValue: keyfob_epoll_out)
        /// One event, then silence until `change`: so one thread at a time has the descriptor.
        package static let once = Self(rawValue: keyfob_epoll_once)
    }

    private let descriptor: Descriptor

    package init() throws(PosixError) {
        let number = keyfob_epoll_create()
        guard number >= 0 else { throw .last("epoll_create1") }
        descriptor = Descriptor(owning: number)
    }

    /// Begins to wait for a descriptor; its events carry `token`.
    ///
    /// Closing the descriptor ends it.
    package func add(
        _ added: borrowing Descriptor, _ interest: Interest, token: UInt64
    ) throws(PosixError) {
        guard keyfob_epoll_add(descriptor.rawValue, added.rawValue, interest.rawValue, token) == 0 else {
            throw .last("epoll_ctl")
        }
    }

    /// Waits for something else, or again after `once`; an event that is there already comes at once.
    package func change(
        _ changed: borrowing Descriptor, _ interest: Interest, token: UInt64
    ) throws(PosixError) {
        guard keyfob_epoll_change(descriptor.rawValue, changed.rawValue, interest.rawValue, token) == 0 else {
            throw .last("epoll_ctl")
        }
    }

    /// Waits for it no longer.
    package func remove(_ removed: borrowing Descriptor) throws(PosixError) {
        guard keyfob_epoll_remove(descriptor.rawValue, removed.rawValue) == 0 else { throw .last("epoll_ctl") }
    }

    /// Blocks until there is an event, and returns its token; nil after `timeout`, or a signal.
    package func wait(_ timeout: Duration? = nil) throws(PosixError) -> UInt64? {
        var token: UInt64 = 0
        var events: UInt32 = 0
        let count = unsafe keyfob_epoll_wait(descriptor.rawValue, &token, &events, timeout?.pollMilliseconds ?? -1)
        if count > 0 { return token }
        guard count == 0 || errno == EINTR else { throw .last("epoll_wait") }
        return nil
    }

    /// Blocks until `favoured`, a descriptor that the queue is silent about, can be read, and nothing else is there: true;
    /// false as soon as the queue has an event, after `timeout`, or a signal.
    package func isNext(
        _ favoured: borrowing Descriptor, _ timeout: Duration, _ eagerness: inout Eagerness
    ) -> Bool {
        eagerness.seek { look(at: favoured, .zero) } ?? look(at: favoured, timeout) ?? false
    }

    /// The same, nil if nothing came in time.
    private func look(at favoured: borrowing Descriptor, _ timeout: Duration) -> Bool? {
        var both = (
            pollfd(fd: favoured.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        )
        let count = unsafe withUnsafeMutableBytes(of: &both) {
            unsafe poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, timeout.pollMilliseconds)
        }
        return count > 0 ? both.1.revents == 0 : nil
    }
}
