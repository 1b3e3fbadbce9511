// SPDX-License-Identifier: Apache-2.0

/// The process that asks, as the kernel knows it; never filled from a message.
package struct Caller: Hashable, Sendable {
    package let uid: UInt32
    package let gid: UInt32
    /// The supplementary groups, as far as they are known.
    package let groups: [UInt32]
    package let pid: Int32
    /// When the process started, in clock ticks since the machine did (proc(5), `starttime`); 0 if that is not known.
    ///
    /// With `pid` it names one process for as long as the machine runs.
    package let startTime: UInt64
    /// The path of the running program, or nil if it cannot be read.
    package let executable: String?
    /// The systemd unit of the process's cgroup, or nil outside of one.
    package let unit: String?

    package init(
        uid: UInt32, gid: UInt32, groups: [UInt32] = [], pid: Int32, startTime: UInt64 = 0, executable: String?,
        unit: String?
    ) {
        self.uid = uid
        self.gid = gid
        self.groups = groups
        self.pid = pid
        self.startTime = startTime
        self.executable = executable
        self.unit = unit
    }
}
