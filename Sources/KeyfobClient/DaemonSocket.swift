// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform

/// Where daemons listen.
package enum DaemonSocket {
    /// The socket of the system's daemon.
    package static let system = "/run/keyfob/keyfobd.sock"

    /// The socket of this user's daemon, or nil where the user has no runtime directory.
    package static var user: String? {
        guard let folder = Environment.value("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        return folder + "/keyfob/keyfobd.sock"
    }

    /// The sockets to try, in order: the one that `KEYFOB_SOCKET` names and no other, else the user's, else the system's.
    package static var candidates: [String] {
        if let named = Environment.value("KEYFOB_SOCKET") { return [named] }
        return [user, system].compactMap(\.self)
    }
}
