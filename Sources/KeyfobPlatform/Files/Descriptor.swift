// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file descriptor with one owner, who closes it by letting go.
///
/// Calls are repeated after a signal (`EINTR`), and block even where somebody made the file non-blocking.
package struct Descriptor: ~Copyable, Sendable {
    /// The number; good for as long as the owner lives.
    package let rawValue: Int32

    /// Takes over an open descriptor.
    package init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    deinit {
        // An error of close has no remedy; the number is gone either way.
        close(rawValue)
    }

    /// Opens a path, never to be inherited by a child; `flags` and `mode` as in open(2).
    ///
    /// Never takes the numbers of the standard descriptors: where one of them was closed, everything that somebody
    /// prints would go into the file.
    package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(PosixError) -> Descriptor {
        // The kernel would open what stands before the zero.
        guard !path.utf8.contains(0) else { throw PosixError(call: "open", errno: EINVAL) }
        while true {
            let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
            if descriptor > STDERR_FILENO { return Descriptor(owning: descriptor) }
            if descriptor >= 0 { return try Descriptor(owning: descriptor).aboveStandard() }
            guard errno == EINTR else { throw .last("open") }
        }
    }

    private consuming func aboveStandard() throws(PosixError) -> Descriptor { try duplicate() }

    /// Another descriptor of the same open file, not to be inherited by a child.
    package func duplicate() throws(PosixError) -> Descriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard copy >= 0 else { throw .last("fcntl") }
        return Descriptor(owning: copy)
    }

    /// Waits until a descriptor that somebody else made non-blocking has or takes bytes again.
    package static func wait(_ descriptor: Int32, for events: Int32) {
        var one = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        // Whatever goes wrong here, the read or write that follows says it.
        _ = unsafe poll(&one, 1, -1)
    }

    /// Two ends of a stream, which the caller owns; not inherited by children.
    package static func socketPair(flags: Int32 = 0) throws(PosixError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind | flags, 0, &ends) == 0 else { throw .last("socketpair") }
        return (ends[0], ends[1])
    }

    /// Reads what is there, at most the buffer; 0 is the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(PosixError) -> Int {
        while true {
            let count = unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno == EAGAIN {
                Self.wait(rawValue, for: POLLIN)
            } else if errno != EINTR {
                throw .last("read")
            }
        }
    }

    /// Writes all of it.
    package func write(_ bytes: RawSpan) throws(PosixError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.extracting(droppingFirst: count)
            } else if errno == EAGAIN {
                Self.wait(rawValue, for: POLLOUT)
            } else if errno != EINTR {
                throw .last("write")
            }
        }
    }

    /// Everything to the end, for files that hold no secret; `EFBIG` if it is more than `limit` bytes.
    package func contents(limit: Int) throws(PosixError) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(rawValue, &chunk, chunk.count)
            if count == 0 { return all }
            if count > 0 {
                all += chunk[..<count]
                if all.count > limit { throw PosixError(call: "read", errno: EFBIG) }
            } else if errno != EINTR {
                throw .last("read")
            }
        }
    }

    /// Kind, mode and owner of the file.
    package func status() throws(PosixError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(rawValue, &status) == 0 else { throw .last("fstat") }
        return FileStatus(status)
    }
}
