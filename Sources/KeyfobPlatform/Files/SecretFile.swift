// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobMemory
package import KeyfobModel

/// A file that holds one secret, a PIN for instance.
package enum SecretFile {
    /// Who besides the owner may have rights on the file.
    package enum Trust: Sendable {
        /// Nobody.
        case ownerOnly
        /// The group too: systemd grants its credentials by an access list, which shows as group rights.
        case systemd
    }

    /// The most bytes of a secret unless said otherwise.
    package static let defaultLimit = 4096

    /// The contents without one newline at the end.
    ///
    /// Blocks on a pipe until its writer closes. Links are followed; what is checked is the file that was opened.
    ///
    /// - Throws: `missing` (by default `.pinNotGiven`) if there is no such file; `.permissions` if others have rights
    ///   on it or it is someone else's; `.invalidParameter` if it is no file or pipe or longer than `limit`;
    ///   `.inputOutput`, and the errors of memory.
    package static func read(
        _ path: String, limit: Int = defaultLimit, trust: Trust = .ownerOnly,
        _ operation: KeychainError.Operation = .prompt, missing: KeychainError.Code = .pinNotGiven
    ) throws(KeychainError) -> SecretBytes {
        let file: Descriptor
        do {
            file = try Descriptor.open(path, O_RDONLY | O_NOCTTY)
        } catch {
            throw KeychainError(error, operation, path: path, missing: missing)
        }
        let status: FileStatus
        do {
            status = try file.status()
        } catch {
            throw KeychainError(error, operation, path: path)
        }
        guard status.kind == .file || status.kind == .pipe else {
            throw KeychainError(
                .invalidParameter, operation, subject: .path(path),
                cause: .format(place: path, fault: "neither a file nor a pipe"))
        }
        guard status.isPrivate(forbidding: trust == .ownerOnly ? 0o077 : 0o037) else {
            throw KeychainError(.permissions, operation, subject: .path(path), remedy: .fixPermissions)
        }
        var secret = try SecretBytes.contents(of: file, limit: limit, path: path, operation)
        secret.dropNewline()
        return secret
    }
}
