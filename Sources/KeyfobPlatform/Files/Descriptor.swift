// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file descriptor with one owner, who closes it by letting go.
///
/// Calls are repeated after a signal (`EINTR`) and block as the file does.
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
    package static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0) throws(PosixError) -> Descriptor {
        // The kernel would open what stands before the zero.
        guard !path.utf8.contains(0) else { throw PosixError(call: "open", errno: EINVAL) }
        while true {
            let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
            if descriptor >= 0 { return Descriptor(owning: descriptor) }
            guard errno == EINTR else { throw .last("open") }
        }
    }

    /// Two ends of a stream, which the caller owns; not inherited by children.
    static func socketPair(flags: Int32 = 0) throws(PosixError) -> (Int32, Int32) {
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
            guard errno == EINTR else { throw .last("read") }
        }
    }

    /// Writes all of it.
    package func write(_ bytes: RawSpan) throws(PosixError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.extracting(droppingFirst: count)
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
