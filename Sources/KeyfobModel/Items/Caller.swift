// SPDX-License-Identifier: Apache-2.0

/// The process that asks, as the kernel knows it; never filled from a message.
package struct Caller: Hashable, Sendable {
    package let uid: UInt32
    package let gid: UInt32
    package let pid: Int32
    /// The path of the running program, or nil if it cannot be read.
    package let executable: String?
    /// The systemd unit of the process's cgroup, or nil outside of one.
    package let unit: String?

    package init(uid: UInt32, gid: UInt32, pid: Int32, executable: String?, unit: String?) {
        self.uid = uid
        self.gid = gid
        self.pid = pid
        self.executable = executable
        self.unit = unit
    }
}
