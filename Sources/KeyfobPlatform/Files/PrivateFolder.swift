// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel

/// Folders that only their owner may look into.
package enum PrivateFolder {
    /// Makes the folder, and parents that are missing, with mode 0700; one that is there already is verified.
    ///
    /// - Throws: as `verify`, and `.permissions`, `.diskFull`, `.readOnly`, `.inputOutput` when it cannot be made.
    package static func create(_ path: String, _ operation: KeychainError.Operation = .create) throws(KeychainError) {
        try make(path, operation)
        try verify(path, operation)
    }

    /// Checks that the path is a folder of this user or root without any right for group and others.
    ///
    /// - Throws: `.keychainNotFound` if there is nothing, `.permissions` if others have rights or it is someone
    ///   else's, `.inputOutput` if it is no folder.
    package static func verify(_ path: String, _ operation: KeychainError.Operation = .open) throws(KeychainError) {
        let status: FileStatus
        do {
            status = try FileStatus.of(path)
        } catch {
            throw KeychainError(error, operation, path: path, missing: .keychainNotFound, remedy: .createKeychain)
        }
        guard status.kind == .folder else {
            throw KeychainError(PosixError(call: "stat", errno: ENOTDIR), operation, path: path)
        }
        guard status.isPrivate() else {
            throw KeychainError(.permissions, operation, subject: .path(path), remedy: .fixPermissions)
        }
    }

    private static func make(_ path: String, _ operation: KeychainError.Operation) throws(KeychainError) {
        if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let error = PosixError.last("mkdir")
        guard error.errno == ENOENT, let parent = parent(of: path) else {
            throw KeychainError(error, operation, path: path)
        }
        try make(parent, operation)
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw KeychainError(.last("mkdir"), operation, path: path)
        }
    }

    /// The path without its last name; nil for a single name, `/` and the empty path.
    private static func parent(of path: String) -> String? {
        var names = path.split(separator: "/")
        guard names.popLast() != nil, !names.isEmpty else { return nil }
        return (path.hasPrefix("/") ? "/" : "") + names.joined(separator: "/")
    }
}
