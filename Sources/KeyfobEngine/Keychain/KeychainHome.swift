// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel
internal import KeyfobPlatform

/// The folder of one keychain.
///
/// ```
///   keychain.db       sealed items (docs/store-format.md)
///   config.json       which token, where its PIN comes from (docs/operations.md)
///   access.d/*.json   which caller is given which access groups
///   owner.lock        names the process that has the keychain open
///   token/            the software token, if the keychain has one of its own
/// ```
package struct KeychainHome: Hashable, Sendable {
    /// An absolute path.
    package let path: String

    /// The folder named, else `KEYFOB_HOME`, else `$XDG_DATA_HOME/keyfob`, else `~/.local/share/keyfob`.
    ///
    /// - Throws: `.configurationInvalid` if none of them can be had.
    package static func resolve(explicit: String? = nil) throws(KeychainError) -> KeychainHome {
        if let path = explicit ?? Environment.value("KEYFOB_HOME") { return KeychainHome(path: try absolute(path)) }
        if let data = Environment.value("XDG_DATA_HOME"), data.hasPrefix("/") {
            return KeychainHome(path: data + "/keyfob")
        }
        guard let home = Environment.value("HOME") ?? Accounts.home(of: geteuid()) else {
            throw KeychainError(
                .configurationInvalid, .open, subject: .parameter("KEYFOB_HOME"), remedy: .fixConfiguration)
        }
        return KeychainHome(path: try absolute(home + "/.local/share/keyfob"))
    }

    /// Whether there is a keychain in the folder, in whatever state.
    package var holdsKeychain: Bool { unsafe access(database, F_OK) == 0 }

    var database: String { path + "/keychain.db" }
    var configuration: String { path + "/config.json" }
    var accessPolicies: String { path + "/access.d" }
    var ownerLock: String { path + "/owner.lock" }
    var softwareToken: String { path + "/token" }

    private static func absolute(_ path: String) throws(KeychainError) -> String {
        guard !path.isEmpty else {
            throw KeychainError(
                .configurationInvalid, .open, subject: .parameter("KEYFOB_HOME"), remedy: .fixConfiguration)
        }
        guard !path.hasPrefix("/") else { return path }
        guard let current = unsafe getcwd(nil, 0) else {
            throw KeychainError(.inputOutput, .open, cause: .posix(call: "getcwd", errno: errno))
        }
        defer { unsafe free(current) }
        return unsafe String(cString: current) + "/" + path
    }
}
