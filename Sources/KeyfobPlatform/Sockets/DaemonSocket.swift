// SPDX-License-Identifier: Apache-2.0

/// Where daemons listen.
package enum DaemonSocket {
    /// The folder of the system's socket.
    package static let systemFolder = "/run/keyfob"
    /// What a socket is called in its folder.
    package static let name = "keyfobd.sock"
    /// The socket of the system's daemon.
    package static let system = "\(systemFolder)/\(name)"

    /// The socket of this user's daemon, or nil where the user has no runtime directory.
    package static var user: String? { user { Environment.value($0) } }

    /// The socket of the user whose variables are looked up, or nil where there is no runtime directory.
    package static func user(_ environment: (String) -> String?) -> String? {
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        return "\(folder)/keyfob/\(name)"
    }

    /// The sockets to try, in order: the one that `KEYFOB_SOCKET` names and no other, else the user's, else the system's.
    package static var candidates: [String] {
        if let named = Environment.value("KEYFOB_SOCKET") { return [named] }
        return [user, system].compactMap(\.self)
    }
}
