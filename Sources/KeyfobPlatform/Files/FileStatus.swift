// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What the file system says of a file: the part that decides whether it may be trusted.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case file
        case folder
        case pipe
        case other
    }

    package let kind: Kind
    /// The nine permission bits.
    package let permissions: UInt32
    package let owner: UInt32
    /// Bytes, for a file.
    package let size: Int

    package init(kind: Kind, permissions: UInt32, owner: UInt32, size: Int) {
        self.kind = kind
        self.permissions = permissions
        self.owner = owner
        self.size = size
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFIFO: kind = .pipe
        default: kind = .other
        }
        permissions = status.st_mode & 0o777
        owner = status.st_uid
        size = Int(status.st_size)
    }

    /// The status of what a path leads to, links followed.
    package static func of(_ path: String) throws(PosixError) -> FileStatus {
        guard !path.utf8.contains(0) else { throw PosixError(call: "stat", errno: EINVAL) }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat") }
        return FileStatus(status)
    }

    /// Whether it belongs to this process's user or to root, and grants none of the `forbidden` bits.
    package func isPrivate(forbidding forbidden: UInt32 = 0o077) -> Bool {
        permissions & forbidden == 0 && (owner == geteuid() || owner == 0)
    }
}
