// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
package import KeyfobModel

extension ListeningSocket {
    /// Makes a socket at `path` and listens on it.
    ///
    /// There is no moment at which others than `mode` and `group` say may connect: the socket gets owner and rights under
    /// another name in the same folder, listens, and only then takes its own name, in one step. A socket of this user at
    /// which nobody answers any more gives way. The folder must be one in which nobody else makes files.
    ///
    /// - Parameters:
    ///   - mode: The permission bits; those for writing let connect (unix(7)).
    ///   - group: The group that the file is given to; nil leaves that of the process.
    /// - Throws: with `.daemon(path)` as subject: `.keychainInUse` naming the process that answers there;
    ///   `.invalidParameter` if there is a file that is no socket; `.permissions` if it is somebody else's, or the folder
    ///   lets this user make no files; `.inputOutput` and `.diskFull` otherwise.
    package static func listen(
        _ path: String, mode: UInt32 = 0o600, group: UInt32? = nil, _ operation: KeychainError.Operation = .serve
    ) throws(KeychainError) -> ListeningSocket {
        try removeStale(path, operation)
        do throws(PosixError) {
            let socket = try UnixSocket.make(flags: Int32(SOCK_NONBLOCK.rawValue))
            var file = try bind(socket, beside: path)
            try grant(file.path, mode, group)
            guard Glibc.listen(socket.descriptor.rawValue, SOMAXCONN) == 0 else { throw .last("listen") }
            guard unsafe keyfob_rename_new(file.path, path) == 0 else { throw .last("rename") }
            file.moved(to: path)
            return ListeningSocket(descriptor: socket.takeDescriptor(), path: path, file: file)
        } catch {
            guard error.errno != EEXIST else { throw occupied(path, operation) }
            throw failure(error, path, operation)
        }
    }

    /// Binds to a name that nobody looks for, in the folder of `path`; nobody may connect there yet.
    private static func bind(_ socket: borrowing UnixSocket, beside path: String) throws(PosixError) -> SocketFile {
        // The file is made with the rights of the socket itself, so that the umask of the process need not change.
        guard fchmod(socket.descriptor.rawValue, 0) == 0 else { throw .last("fchmod") }
        let folder = SocketAddress.split(path).folder
        while true {
            let name = folder + "/.keyfob-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            let address = try SocketAddress.of(name)
            if unsafe address.withAddress({ unsafe Glibc.bind(socket.descriptor.rawValue, $0, $1) }) == 0 {
                return try SocketFile(owning: name)
            }
            guard errno == EADDRINUSE else { throw .last("bind") }
        }
    }

    private static func grant(_ path: String, _ mode: UInt32, _ group: UInt32?) throws(PosixError) {
        if let group, unsafe lchown(path, uid_t.max, group) != 0 { throw .last("lchown") }
        guard unsafe chmod(path, mode) == 0 else { throw .last("chmod") }
    }

    // MARK: - What is there already

    /// Makes the name free if what has it is a socket of this user at which nobody answers.
    private static func removeStale(
        _ path: String, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        do throws(PosixError) {
            guard let found = try SocketFile.Identity.of(path) else { return }
            guard found.isSocket else { throw PosixError(call: "bind", errno: ENOTSOCK) }
            guard found.owner == geteuid() || found.owner == 0 else { throw PosixError(call: "bind", errno: EPERM) }
            guard try isStale(path) else { throw PosixError(call: "bind", errno: EEXIST) }
            // Moved away first: if somebody has taken the name since, it is that one which was moved, and it goes back.
            let aside = path + ".stale-\(String(UInt64.random(in: .min ... .max), radix: 36))"
            guard unsafe rename(path, aside) == 0 else {
                if errno == ENOENT { return }
                throw .last("rename")
            }
            guard try SocketFile.Identity.of(aside) == found else {
                unsafe keyfob_rename_new(aside, path)
                throw PosixError(call: "bind", errno: EEXIST)
            }
            guard unsafe unlink(aside) == 0 else { throw .last("unlink") }
        } catch {
            guard error.errno != EEXIST else { throw occupied(path, operation) }
            throw failure(error, path, operation)
        }
    }

    private static func isStale(_ path: String) throws(PosixError) -> Bool {
        let socket = try UnixSocket.make(flags: Int32(SOCK_NONBLOCK.rawValue))
        do throws(PosixError) {
            try socket.connect(to: path)
            return false
        } catch {
            switch error.errno {
            case ECONNREFUSED: return true
            // Somebody listens and has no time.
            case EAGAIN: return false
            default: throw error
            }
        }
    }

    /// The error that names who answers at the path.
    private static func occupied(_ path: String, _ operation: KeychainError.Operation) -> KeychainError {
        var pid: Int32?
        // Only the name is lost if the other one is gone or busy: the error stays.
        if let socket = try? UnixSocket.make(flags: Int32(SOCK_NONBLOCK.rawValue)) {
            if (try? socket.connect(to: path)) != nil { pid = PeerCredentials.of(socket.descriptor)?.pid }
        }
        return KeychainError(
            .keychainInUse, operation, subject: .daemon(path),
            cause: pid.map { .process(pid: $0) } ?? .posix(call: "bind", errno: EADDRINUSE),
            remedy: pid.map { .stopOwner(pid: $0) })
    }

    private static func failure(
        _ error: PosixError, _ path: String, _ operation: KeychainError.Operation
    ) -> KeychainError {
        let cause: KeychainError.Cause = .posix(call: error.call, errno: error.errno)
        return switch error.errno {
        case ENOTSOCK: KeychainError(.invalidParameter, operation, subject: .daemon(path), cause: cause)
        case EACCES, EPERM:
            KeychainError(.permissions, operation, subject: .daemon(path), cause: cause, remedy: .fixPermissions)
        case ENOSPC, EDQUOT:
            KeychainError(.diskFull, operation, subject: .daemon(path), cause: cause, remedy: .freeDiskSpace)
        case EROFS: KeychainError(.readOnly, operation, subject: .daemon(path), cause: cause)
        // Every other number stays in the cause.
        default: KeychainError(.inputOutput, operation, subject: .daemon(path), cause: cause)
        }
    }
}

extension UnixSocket {
    /// Gives the descriptor away.
    fileprivate consuming func takeDescriptor() -> Descriptor { descriptor }
}
