// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel

/// What `/proc/<pid>` says of a process at the moment; whether it is the process that was meant, a `ProcessHandle` knows.
struct ProcessFacts {
    private let folder: String

    init(pid: Int32) {
        folder = "/proc/\(pid)"
    }

    /// This process.
    static var own: ProcessFacts { ProcessFacts(pid: getpid()) }

    /// When it started, in clock ticks since the machine did; 0 if that cannot be read.
    func startTime() throws(PosixError) -> UInt64 { try text("stat").flatMap(Self.startTime(stat:)) ?? 0 }

    /// The path of the running program, or nil if this user may not know it.
    var executable: String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("\(folder)/exe", &target, target.count)
        return count < 0 ? nil : String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The systemd unit of its cgroup, or nil.
    func unit() throws(PosixError) -> String? { try text("cgroup").flatMap { Caller.unit(cgroups: $0) } }

    /// Its effective ids and supplementary groups; nil if they cannot be read.
    func identity() throws(PosixError) -> (uid: UInt32, gid: UInt32, groups: [UInt32])? {
        try text("status").flatMap(Self.identity(status:))
    }

    /// Whether it can be the process that connected with these ids and groups before a moment (`ProcessTicks`).
    ///
    /// A process that has changed its ids since then is not recognised.
    func canHaveConnected(
        as peer: PeerCredentials, groups: [UInt32], before moment: UInt64
    ) throws(PosixError) -> Bool {
        guard let identity = try identity(), try startTime() <= moment else { return false }
        return identity.uid == peer.uid && identity.gid == peer.gid && Set(identity.groups) == Set(groups)
    }

    /// Field 22 of a `stat` file (proc(5)): counted after the name, which may hold blanks and parentheses itself.
    static func startTime(stat: String) -> UInt64? {
        guard let end = stat.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = stat[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) : nil
    }

    /// The effective ids are the second of four (proc(5), `status`).
    static func identity(status: String) -> (uid: UInt32, gid: UInt32, groups: [UInt32])? {
        func numbers(_ name: String) -> [UInt32]? {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.dropFirst(name.count + 1).split { $0 == " " || $0 == "\t" }.compactMap { UInt32($0) }
        }
        guard let uids = numbers("Uid"), let gids = numbers("Gid"), uids.count == 4, gids.count == 4 else { return nil }
        return (uids[1], gids[1], numbers("Groups") ?? [])
    }

    /// The text of a file, or nil if it is not there or may not be read.
    ///
    /// - Throws: when it is this process that lacks something, descriptors or memory: then nothing is known of the other.
    private func text(_ name: String) throws(PosixError) -> String? {
        do throws(PosixError) {
            let file = try Descriptor.open("\(folder)/\(name)", O_RDONLY)
            return String(decoding: try file.contents(limit: 65536), as: UTF8.self)
        } catch {
            guard !error.isShortage else { throw error }
            return nil
        }
    }
}

extension PosixError {
    /// Whether this process has run out of descriptors or memory, which says nothing of what the call was about.
    var isShortage: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) }
}
