// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
package import KeyfobModel

/// A socket that other processes of this machine connect to.
///
/// Letting go of it removes its file, if this process made it and it is still there, and closes it.
package struct ListeningSocket: ~Copyable, Sendable {
    /// The descriptor, for `EventQueue`; it does not block.
    package let descriptor: Descriptor
    /// Where it listens; empty if the socket that was adopted has no path.
    package let path: String
    private let file: SocketFile?

    init(descriptor: consuming Descriptor, path: String, file: consuming SocketFile?) {
        self.descriptor = descriptor
        self.path = path
        self.file = file
    }

    /// Takes over a socket that somebody else made and listens on, as systemd's socket activation hands it over; its
    /// file stays when it is let go.
    ///
    /// - Throws: `.invalidParameter` if it is not a Unix stream socket that listens.
    package static func adopt(
        _ descriptor: consuming Descriptor, _ operation: KeychainError.Operation = .serve
    ) throws(KeychainError) -> ListeningSocket {
        let number = descriptor.rawValue
        let isListener =
            option(number, SO_DOMAIN) == AF_UNIX && option(number, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
            && option(number, SO_ACCEPTCONN) == 1
        guard isListener else {
            throw KeychainError(
                .invalidParameter, operation,
                cause: .format(place: "descriptor \(number)", fault: "is no Unix stream socket that listens"))
        }
        let path = path(of: number)
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(number, F_SETFD, FD_CLOEXEC) == 0
        else { throw KeychainError(.last("fcntl"), operation, socket: path) }
        return ListeningSocket(descriptor: descriptor, path: path, file: nil)
    }

    /// The next connection, which does not block, or nil if there is none.
    ///
    /// - Throws: `EMFILE` and `ENFILE` when there are no descriptors left, `ENOBUFS` and `ENOMEM`.
    package func accept() throws(PosixError) -> UnixSocket? {
        while true {
            let number = keyfob_accept(descriptor.rawValue)
            if number >= 0 { return UnixSocket(owning: Descriptor(owning: number)) }
            switch errno {
            case EAGAIN: return nil
            // The one that had connected is gone again.
            case EINTR, ECONNABORTED: continue
            default: throw .last("accept")
            }
        }
    }

    private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func path(of descriptor: Int32) -> String {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0 else { return "" }
        return unsafe withUnsafeBytes(of: address.sun_path) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
