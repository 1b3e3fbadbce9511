// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform

/// Whether the program behind a socket may be told secrets.
enum DaemonPeer {
    /// Refuses a socket on which neither this process's user nor root listens, nor the owner of the folder that it lies
    /// in, who could have put anything there (unix(7), `SO_PEERCRED`: who called listen).
    ///
    /// - Throws: `.permissions` naming the socket.
    static func verify(_ socket: borrowing UnixSocket, _ path: String) throws(KeychainError) {
        guard let uid = PeerCredentials.of(socket.descriptor)?.uid else {
            throw refusal(path, .format(place: "the socket", fault: "does not say who listens"))
        }
        guard uid != geteuid(), uid != 0 else { return }
        // A folder that cannot be looked at vouches for nobody.
        if let folder = try? FileStatus.of(folder(of: path)), folder.owner == uid, folder.permissions & 0o022 == 0 {
            return
        }
        throw refusal(path, .format(place: "user \(uid)", fault: "listens there, who is neither you nor root"))
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func refusal(_ path: String, _ cause: KeychainError.Cause) -> KeychainError {
        KeychainError(.permissions, .connect, subject: .daemon(path), cause: cause, remedy: .startDaemon)
    }
}
