// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel

extension UnixSocket {
    /// A connection to whoever listens at `path`; it blocks, and each call on it may take `timeout`.
    ///
    /// Connecting itself waits only while the listener's queue is full.
    ///
    /// - Throws: with `.daemon(path)` as subject: `.daemonNotAnswering` if nobody listens there, `.timedOut` if the queue
    ///   stays full, `.permissions` if this user may not connect, `.inputOutput` otherwise (a path that is too long,
    ///   `ENAMETOOLONG`).
    package static func connect(
        _ path: String, timeout: Duration?, _ operation: KeychainError.Operation = .connect
    ) throws(KeychainError) -> UnixSocket {
        do throws(PosixError) {
            let socket = try make()
            try socket.setTimeouts(receive: timeout, send: timeout)
            try socket.connect(to: path)
            return socket
        } catch {
            throw KeychainError(error, operation, socket: path)
        }
    }

    /// A stream socket that is connected to nothing.
    static func make(flags: Int32 = 0) throws(PosixError) -> UnixSocket {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) | flags, 0)
        guard number >= 0 else { throw .last("socket") }
        return UnixSocket(owning: Descriptor(owning: number))
    }

    func connect(to path: String) throws(PosixError) {
        let address = try SocketAddress.of(path)
        while true {
            let result = unsafe address.withAddress { unsafe Glibc.connect(descriptor.rawValue, $0, $1) }
            if result == 0 { return }
            guard errno == EINTR else { throw .last("connect") }
        }
    }
}

extension KeychainError {
    /// The error for a call on a daemon's socket.
    package init(_ error: PosixError, _ operation: Operation, socket path: String) {
        let code: Code
        let remedy: Remedy?
        switch error.errno {
        case ENOENT, ENOTDIR, ECONNREFUSED: (code, remedy) = (.daemonNotAnswering, .startDaemon)
        case EPIPE, ECONNRESET: (code, remedy) = (.daemonNotAnswering, .tryAgain)
        case EAGAIN, ETIMEDOUT: (code, remedy) = (.timedOut, .tryAgain)
        case EACCES, EPERM: (code, remedy) = (.permissions, .askOwner)
        case ENOMEM, ENOBUFS: (code, remedy) = (.outOfMemory, nil)
        // Every other number stays in the cause.
        default: (code, remedy) = (.inputOutput, nil)
        }
        self.init(
            code, operation, subject: .daemon(path), cause: .posix(call: error.call, errno: error.errno),
            remedy: remedy)
    }
}
