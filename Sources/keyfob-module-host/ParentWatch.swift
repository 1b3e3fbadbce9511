// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform

/// Ends the process when the other end of its socket is closed, also while the module hangs in a call.
///
/// `PR_SET_PDEATHSIG` would not do: the kernel sends it when the thread ends that started this process, and a daemon's
/// threads come and go.
enum ParentWatch {
    /// `POLLRDHUP` of poll.h, which Swift does not import.
    private static let closed: Int16 = 0x2000
    /// How long the module has to end by itself, in seconds.
    private static let patience: UInt32 = 2

    static func start(_ socket: Int32) throws(PosixError) {
        try OwnThread("parent") {
            var watched = pollfd(fd: socket, events: closed, revents: 0)
            while unsafe poll(&watched, 1, -1) < 0 && errno == EINTR {}
            sleep(patience)
            _exit(0)
        }.letGo()
    }
}
