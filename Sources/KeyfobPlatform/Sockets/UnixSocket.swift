// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobMemory

/// One end of a stream to another process of this machine; letting go of it closes it.
///
/// Never raises SIGPIPE and is never inherited by a child. The end that `connect` makes blocks, for as long as
/// `setTimeouts` says; the end that `ListeningSocket.accept` makes does not.
package struct UnixSocket: ~Copyable, Sendable {
    /// The descriptor, for `EventQueue` and the identity of the peer.
    package let descriptor: Descriptor

    package init(owning descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Two ends of one stream.
    package static func pair(nonBlocking: Bool = false) throws(PosixError) -> SocketPair {
        let (left, right) = try Descriptor.socketPair(flags: nonBlocking ? Int32(SOCK_NONBLOCK.rawValue) : 0)
        return SocketPair(
            left: UnixSocket(owning: Descriptor(owning: left)), right: UnixSocket(owning: Descriptor(owning: right)))
    }

    /// How long a blocking call may wait before it fails with `EAGAIN`; nil waits for ever.
    ///
    /// Each call has that long anew (socket(7), `SO_RCVTIMEO`).
    package func setTimeouts(receive: Duration?, send: Duration?) throws(PosixError) {
        for (option, duration) in [(SO_RCVTIMEO, receive), (SO_SNDTIMEO, send)] {
            var time = duration?.timeValue ?? timeval()
            guard
                unsafe setsockopt(
                    descriptor.rawValue, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size)) == 0
            else { throw .last("setsockopt") }
        }
    }

    /// Sends all of it on a socket that blocks.
    ///
    /// - Throws: `EAGAIN` when the timeout passes, `EPIPE` or `ECONNRESET` when the other end is gone; what it had said
    ///   before can still be received.
    package func send(_ bytes: RawSpan) throws(PosixError) {
        var rest = bytes
        while !rest.isEmpty {
            guard let count = try sendSome(rest) else { throw PosixError(call: "send", errno: EAGAIN) }
            rest = rest.extracting(droppingFirst: count)
        }
    }

    /// Sends what the socket takes now: the number of bytes, or nil if it takes none at the moment.
    package func sendSome(_ bytes: RawSpan) throws(PosixError) -> Int? {
        while true {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(descriptor.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { return count }
            if errno == EAGAIN { return nil }
            guard errno == EINTR else { throw .last("send") }
        }
    }

    /// Receives once, to the bytes from `offset` on, at most `limit` of them: their number, 0 at the end of the stream,
    /// or nil if there are none at the moment (or the timeout passed).
    package func receive(
        into bytes: inout SecretBytes, at offset: Int = 0, limit: Int = .max
    ) throws(PosixError) -> Int? {
        try receive(into: &bytes, at: offset, limit: limit, flags: 0)
    }

    /// The same on a socket that blocks, which does not do so before it was no longer worth looking.
    package func receive(
        into bytes: inout SecretBytes, at offset: Int, _ eagerness: inout Eagerness
    ) throws(PosixError) -> Int? {
        let soon = try eagerness.seek { () throws(PosixError) in
            try receive(into: &bytes, at: offset, limit: .max, flags: Int32(MSG_DONTWAIT))
        }
        if let soon { return soon }
        return try receive(into: &bytes, at: offset, limit: .max, flags: 0)
    }

    private func receive(
        into bytes: inout SecretBytes, at offset: Int, limit: Int, flags: Int32
    ) throws(PosixError) -> Int? {
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
                return unsafe recv(descriptor.rawValue, target.baseAddress, min(target.count, limit), flags)
            }
            if count >= 0 { return count }
            if errno == EAGAIN { return nil }
            guard errno == EINTR else { throw .last("recv") }
        }
    }

    /// Blocks until there is room to send, the other end is gone, or `timeout` has passed.
    package func waitForRoom(_ timeout: Duration) {
        var one = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        // Whatever comes of it, sending says it.
        _ = unsafe poll(&one, 1, timeout.pollMilliseconds)
    }

    /// Ends both directions: the other end reads the end of the stream, and whoever waits for this one wakes up.
    package func shutDown() {
        // A socket whose peer is gone has nothing left to end.
        shutdown(descriptor.rawValue, Int32(SHUT_RDWR))
    }

    /// Ends the sending direction: the other end reads the end of the stream and may still answer.
    package func shutDownSending() {
        // As above.
        shutdown(descriptor.rawValue, Int32(SHUT_WR))
    }
}

/// Two connected sockets.
package struct SocketPair: ~Copyable, Sendable {
    package let left: UnixSocket
    package let right: UnixSocket
}
