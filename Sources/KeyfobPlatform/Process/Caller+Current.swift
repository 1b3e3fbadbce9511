// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobModel

extension Caller {
    /// This process, as a daemon would see it over a socket: effective ids, groups, program and systemd unit.
    ///
    /// Reads `/proc`; what cannot be read is nil.
    package static func current() -> Caller {
        let facts = ProcessFacts.own
        // A process that lacks the descriptors to look knows less of itself.
        let (groups, startTime, unit) =
            (try? (facts.identity()?.groups ?? [], facts.startTime(), facts.unit())) ?? ([], 0, nil)
        return Caller(
            uid: geteuid(), gid: getegid(), groups: groups, pid: getpid(), startTime: startTime,
            executable: facts.executable, unit: unit)
    }

    /// The systemd unit that a `/proc/<pid>/cgroup` names, or nil.
    ///
    /// Only the part of the path that root's systemd made counts: slices, then one unit. Below `user@<uid>.service` the
    /// user's own systemd names the groups, so a unit from there carries that prefix (`user@1000.service/shop.service`)
    /// and can never pass for a system unit of the same name. Source: cgroups(7); systemd's `cgroup-util.c` for the
    /// leading `_` that it puts before names which the kernel would take for its own.
    package static func unit(cgroups: String) -> String? {
        var path: Substring?
        for line in cgroups.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            // The unified hierarchy, or systemd's own in the old layout, which wins where both are mounted.
            if fields[1] == "name=systemd" { path = fields[2] }
            if fields[0] == "0", fields[1].isEmpty, path == nil { path = fields[2] }
        }
        var names = path?.split(separator: "/").map { $0.hasPrefix("_") ? $0.dropFirst() : $0 }[...] ?? []
        guard let unit = takeUnit(&names) else { return nil }
        guard unit.hasPrefix("user@"), let inner = takeUnit(&names) else { return unit }
        return "\(unit)/\(inner)"
    }

    /// Drops slices from the front, then takes a unit.
    private static func takeUnit(_ names: inout ArraySlice<Substring>) -> String? {
        names = names.drop { $0.hasSuffix(".slice") }
        guard let first = names.first, [".service", ".scope"].contains(where: { first.hasSuffix($0) }) else {
            return nil
        }
        names = names.dropFirst()
        return String(first)
    }
}
