// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Names of users and groups, from the system's account database; may block on it.
package enum Accounts {
    /// The user's name, or nil if the database has none.
    package static func name(of uid: UInt32) -> String? {
        unsafe entry(uid) { unsafe String(cString: $0.pw_name) }
    }

    /// The user's home folder, or nil if the database has none.
    package static func home(of uid: UInt32) -> String? {
        unsafe entry(uid) { unsafe String(cString: $0.pw_dir) }
    }

    /// The number of a group, or nil if the database has none of that name.
    package static func group(_ name: String) -> UInt32? {
        var record = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 16384)
        guard unsafe getgrnam_r(name, &record, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
            return nil
        }
        return unsafe record.gr_gid
    }

    private static func entry(_ uid: UInt32, _ body: (passwd) -> String) -> String? {
        var record = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        guard unsafe getpwuid_r(uid, &record, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
            return nil
        }
        return unsafe body(record)
    }
}
