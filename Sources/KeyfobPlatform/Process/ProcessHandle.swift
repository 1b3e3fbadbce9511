// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc

/// A hold on one process: its number may be given to another one later, the handle never is (pidfd_open(2)).
struct ProcessHandle: ~Copyable, Sendable {
    private let descriptor: Descriptor

    /// A handle on the process that has the number now.
    ///
    /// - Throws: `ESRCH` or `EINVAL` if there is no process of that number.
    static func open(_ pid: Int32) throws(PosixError) -> ProcessHandle {
        let number = keyfob_process_open(pid)
        guard number >= 0 else { throw .last("pidfd_open") }
        return ProcessHandle(descriptor: Descriptor(owning: number))
    }

    /// A handle on the process that connected, whatever has its number now (`SO_PEERPIDFD`).
    ///
    /// - Throws: `ENOPROTOOPT` before Linux 6.5; `ESRCH` or `ENODATA` if the process is gone.
    static func ofPeer(of socket: borrowing Descriptor) throws(PosixError) -> ProcessHandle {
        let number = keyfob_peer_process(socket.rawValue)
        guard number >= 0 else { throw .last("getsockopt") }
        return ProcessHandle(descriptor: Descriptor(owning: number))
    }

    /// Whether the process still runs; what was read of its number before is then the process's own.
    var isRunning: Bool {
        var one = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&one, 1, 0) == 0
    }
}
