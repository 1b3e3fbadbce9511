// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc

/// Who is at the other end of a socket, as the kernel noted it when the connection was made (unix(7), `SO_PEERCRED`).
package struct PeerCredentials: Hashable, Sendable {
    /// The process; 0 if it is in a process namespace that this one cannot see.
    package let pid: Int32
    package let uid: UInt32
    package let gid: UInt32

    /// Of a connected socket; nil if it is none.
    package static func of(_ descriptor: borrowing Descriptor) -> PeerCredentials? {
        var (pid, uid, gid): (Int32, UInt32, UInt32) = (0, 0, 0)
        guard unsafe keyfob_peer_credentials(descriptor.rawValue, &pid, &uid, &gid) == 0 else { return nil }
        return PeerCredentials(pid: pid, uid: uid, gid: gid)
    }

    /// The supplementary groups of the peer (`SO_PEERGROUPS`); none if the kernel does not tell.
    static func groups(of descriptor: borrowing Descriptor) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: 64)
        while true {
            let count = unsafe keyfob_peer_groups(descriptor.rawValue, &groups, Int32(groups.count))
            if count >= 0 { return Array(groups.prefix(Int(count))) }
            // NGROUPS_MAX is 65536 (credentials(7)).
            guard errno == ERANGE, groups.count < 65536 else { return [] }
            groups = [UInt32](repeating: 0, count: groups.count * 4)
        }
    }
}
