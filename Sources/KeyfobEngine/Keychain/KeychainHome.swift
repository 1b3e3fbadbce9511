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
///   audit/            who did what (docs/audit.md)
///   token/            the software token, if the keychain has one of its own
/// ```
package struct KeychainHome: Hashable, Sendable {
    /// An absolute path.
    package let path: String

    /// The folder named, else `KEYFOB_HOME`, else `$XDG_DATA_HOME/keyfob`, else `~/.local/share/keyfob`.
    ///
    /// - Throws: `.configurationInvalid` if none of them can be had, or the one that counts is not UTF-8 or too long.
    package static func resolve(explicit: String? = nil) throws(KeychainError) -> KeychainHome {
        if let explicit { return KeychainHome(path: try absolute(explicit)) }
        if let path = try variable("KEYFOB_HOME") { return KeychainHome(path: try absolute(path)) }
        if let data = try variable("XDG_DATA_HOME"), data.hasPrefix("/") {
            return KeychainHome(path: try absolute(data + "/keyfob"))
        }
        var home = try variable("HOME")
        if home == nil { home = Accounts.home(of: geteuid()) }
        guard let home else { throw invalid("KEYFOB_HOME") }
        return KeychainHome(path: try absolute(home + "/.local/share/keyfob"))
    }

    /// The folder of the system's keychain.
    package static let systemPath = "/var/lib/keyfob"

    /// Where policies for the system's keychain lie, besides `access.d` in its folder.
    package static let systemPolicies = "/etc/keyfob/access.d"

    /// The folders whose policy files hold for this keychain, in order.
    package var policyFolders: [String] {
        path == Self.systemPath ? [Self.systemPolicies, ownPolicies] : [ownPolicies]
    }

    /// The socket of the daemon that has this keychain open now, or nil: none has.
    package var daemonSocket: String? { OwnerLock.socket(at: ownerLock) }

    /// Whether there is a keychain in the folder, in whatever state.
    ///
    /// - Throws: `.permissions` if this user may not even see, `.inputOutput`.
    package func holdsKeychain() throws(KeychainError) -> Bool {
        do {
            _ = try FileStatus.of(database)
            return true
        } catch {
            if error.errno == ENOENT || error.errno == ENOTDIR { return false }
            throw KeychainError(error, .open, path: path)
        }
    }

    var database: String { path + "/keychain.db" }
    var configuration: String { path + "/config.json" }
    /// The policies in the keychain's own folder.
    package var ownPolicies: String { path + "/access.d" }
    var ownerLock: String { path + "/owner.lock" }
    var audit: String { path + "/audit" }
    var softwareToken: String { path + "/token" }

    /// The longest path: SQLite's 512 bytes, less the names of the files that belong to a store.
    private static let lengthLimit = 480

    private static func absolute(_ path: String) throws(KeychainError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw invalid("the keychain's folder") }
        let whole = path.hasPrefix("/") ? path : try currentFolder() + "/" + path
        guard whole.utf8.count <= lengthLimit else {
            throw KeychainError(
                .configurationInvalid, .open, subject: .path(whole),
                cause: .format(place: "the path", fault: "longer than \(lengthLimit) bytes"), remedy: .fixConfiguration)
        }
        return whole
    }

    private static func currentFolder() throws(KeychainError) -> String {
        guard let current = unsafe getcwd(nil, 0) else {
            throw KeychainError(.inputOutput, .open, cause: .posix(call: "getcwd", errno: errno))
        }
        defer { unsafe free(current) }
        guard let text = unsafe String(validatingCString: current) else { throw invalid("the current folder") }
        return text
    }

    /// A path that was repaired would be another folder.
    private static func variable(_ name: String) throws(KeychainError) -> String? {
        guard let raw = unsafe getenv(name), unsafe raw.pointee != 0 else { return nil }
        guard let text = unsafe String(validatingCString: raw) else { throw invalid(name) }
        return text
    }

    private static func invalid(_ what: String) -> KeychainError {
        KeychainError(.configurationInvalid, .open, subject: .parameter(what), remedy: .fixConfiguration)
    }
}
