// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

extension ProcessStatus {
    /// One line a protection: what holds, or what is missing and why it matters.
    var table: TextTable {
        var table = TextTable(["process", "\(pid) of user \(uid), keyfob \(version)"])
        table.append(["memory dump", isDumpable ? "NOT refused: its user can read its memory" : "refused"])
        table.append(["core file", coreLimit == 0 ? "none" : "NOT ruled out"])
        table.append(["secret memory", memory])
        table.append(["new files", umask & 0o077 == 0o077 ? "private" : "NOT private (umask \(octal(umask)))"])
        table.append(["new rights", hasNoNewPrivileges ? "none to be had" : "possible (a set-user-id program)"])
        table.append(["crash report", printsBacktraces ? "NOT off: prints memory" : "off"])
        return table
    }

    private var memory: String {
        let rule = requiresLockedMemory ? "locked or refused" : "locked if possible"
        guard unlockedBytes == 0 else { return "\(unlockedBytes >> 10) KiB NOT locked (\(rule))" }
        return "\(lockedBytes >> 10) KiB, all locked (\(rule))"
    }

    private func octal(_ mask: UInt32) -> String { "0" + String(mask, radix: 8) }

    /// All of it.
    var json: JSON {
        .object([
            ("pid", .number(Int64(pid))), ("uid", .number(Int64(uid))), ("version", .string(version)),
            ("dumpable", .bool(isDumpable)), ("coreLimit", .number(Int64(clamping: coreLimit))),
            ("lockedBytes", .number(Int64(lockedBytes))), ("unlockedBytes", .number(Int64(unlockedBytes))),
            ("lockedMemoryLimit", .number(Int64(clamping: lockedMemoryLimit))),
            ("requiresLockedMemory", .bool(requiresLockedMemory)), ("umask", .number(Int64(umask))),
            ("noNewPrivileges", .bool(hasNoNewPrivileges)), ("printsBacktraces", .bool(printsBacktraces)),
        ])
    }
}
