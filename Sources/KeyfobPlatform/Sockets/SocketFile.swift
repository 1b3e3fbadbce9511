// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The file of a socket that this process made; letting go of it removes the file, unless another one has its name now.
struct SocketFile: ~Copyable, Sendable {
    /// What tells one file from another.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let owner: UInt32
        let isSocket: Bool

        /// Of the file itself, a link not followed; nil if there is none.
        static func of(_ path: String) throws(PosixError) -> Identity? {
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else {
                if errno == ENOENT { return nil }
                throw .last("lstat")
            }
            return Identity(
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino), owner: status.st_uid,
                isSocket: status.st_mode & S_IFMT == S_IFSOCK)
        }
    }

    private(set) var path: String
    private let identity: Identity

    /// Takes over the file that is at `path`.
    init(owning path: String) throws(PosixError) {
        guard let identity = try Identity.of(path) else { throw PosixError(call: "lstat", errno: ENOENT) }
        self.path = path
        self.identity = identity
    }

    /// Notes that the file has been given another name.
    mutating func moved(to path: String) {
        self.path = path
    }

    deinit {
        // If it cannot be looked at it cannot be removed either: whoever starts next finds that nobody answers there.
        if let found = try? Identity.of(path), found == identity { unsafe unlink(path) }
    }
}
