// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobSystemd
internal import Glibc
package import KeyfobModel

/// A listening socket that the manager opened for this process.
package struct ActivatedSocket: Hashable, Sendable {
    /// What its unit calls it (`FileDescriptorName=`), or `unknown`.
    package let name: String
    /// The descriptor, closed on exec; whoever takes the socket over owns it.
    package let descriptor: Int32

    package init(name: String, descriptor: Int32) {
        self.name = name
        self.descriptor = descriptor
    }
}

/// Sockets that came with the process (sd_listen_fds(3)).
package enum SocketActivation {
    /// The sockets that are meant for this process (`LISTEN_PID`), in the manager's order; none without a manager.
    ///
    /// Takes the variables out of the environment, so it answers once: call it before other threads run.
    ///
    /// - Throws: `.configurationInvalid` naming the first descriptor that is no listening Unix stream socket;
    ///   `.internalError` for variables that are malformed.
    package static func take() throws(KeychainError) -> [ActivatedSocket] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe sd_listen_fds_with_names(1, &list)
        guard count >= 0 else { throw failed("sd_listen_fds_with_names", -count) }
        var sockets: [ActivatedSocket] = []
        for index in 0..<Int(count) {
            let name = unsafe list?[index]
            let text = unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
            unsafe free(name)
            sockets.append(ActivatedSocket(name: text, descriptor: firstDescriptor + Int32(index)))
        }
        unsafe free(list)
        for socket in sockets { try check(socket) }
        return sockets
    }

    /// `SD_LISTEN_FDS_START` of sd-daemon.h.
    private static let firstDescriptor: Int32 = 3

    private static func check(_ socket: ActivatedSocket) throws(KeychainError) {
        let answer = sd_is_socket_unix(socket.descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0)
        guard answer >= 0 else { throw failed("sd_is_socket_unix", -answer) }
        guard answer > 0 else {
            throw KeychainError(
                .configurationInvalid, .serve, subject: .parameter("LISTEN_FDS"),
                cause: .format(
                    place: "descriptor \(socket.descriptor) (\(socket.name))",
                    fault: "is no listening Unix stream socket"),
                remedy: .fixConfiguration)
        }
    }

    private static func failed(_ call: String, _ number: Int32) -> KeychainError {
        KeychainError(
            .internalError, .serve, subject: .parameter("LISTEN_FDS"), cause: .posix(call: call, errno: number))
    }
}
