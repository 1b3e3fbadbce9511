// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel

/// Credentials that systemd hands to a service: files in `$CREDENTIALS_DIRECTORY` (systemd.exec(5), LoadCredential=).
package enum SystemdCredential {
    /// The name of the one that holds the token's user PIN.
    package static let tokenPIN = "token-pin"

    /// The path of a credential that is there, or nil: no service, or none of that name.
    package static func path(
        _ name: String, folder: String? = Environment.value("CREDENTIALS_DIRECTORY")
    ) -> String? {
        guard let folder, isName(name) else { return nil }
        let path = "\(folder)/\(name)"
        // A credential that cannot be looked at is none; reading it by name says why.
        guard (try? FileStatus.of(path)) != nil else { return nil }
        return path
    }

    /// A credential without one newline at its end.
    ///
    /// - Throws: `.pinNotGiven` if there is none; else as `SecretFile.read`.
    package static func read(
        _ name: String, folder: String? = Environment.value("CREDENTIALS_DIRECTORY"),
        limit: Int = SecretFile.defaultLimit
    ) throws(KeychainError) -> SecretBytes {
        guard isName(name), let folder else {
            throw KeychainError(.pinNotGiven, .prompt, subject: .parameter("credential:\(name)"))
        }
        return try SecretFile.read("\(folder)/\(name)", limit: limit, trust: .systemd)
    }

    /// Whether it is a file name and not a way out of the folder.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
    }
}
