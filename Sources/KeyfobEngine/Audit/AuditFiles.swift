// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform

/// The files of the audit log: `audit.log`, which grows, and `audit.log.1`, `audit.log.2`, … which are full, the oldest
/// with the least number.
struct AuditFiles: Hashable {
    /// The folder that holds nothing else.
    let folder: String

    static let current = "audit.log"
    /// A file that is to become the current one.
    static let fresh = "audit.log.new"

    func path(_ name: String) -> String { folder + "/" + name }

    /// The names in the order of their lines; none if there is no folder.
    func names() throws(PosixError) -> [String] {
        let all: [String]
        do throws(PosixError) { all = try FolderNames.of(folder) } catch {
            guard error.errno == ENOENT else { throw error }
            return []
        }
        let full = all.compactMap { Self.number($0) }.sorted().map { "\(Self.current).\($0)" }
        return full + (all.contains(Self.current) ? [Self.current] : [])
    }

    /// Renames the current file to the next number.
    ///
    /// One that has not got its name yet becomes the current one after that, so whatever kills the process in between
    /// leaves every line in a file that `names` lists.
    func retire() throws(PosixError) {
        let last = try names().compactMap { Self.number($0) }.max() ?? 0
        try Self.rename(path(Self.current), path("\(Self.current).\(last + 1)"))
    }

    /// Makes an empty file and gives it the current one's name, after the current one was given another.
    func renew() throws(PosixError) -> Descriptor {
        let file = try Descriptor.open(path(Self.fresh), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600)
        if try names().last == Self.current { try retire() }
        try Self.rename(path(Self.fresh), path(Self.current))
        try sync()
        return file
    }

    /// Waits until the names are on the disk.
    func sync() throws(PosixError) {
        let folder = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY)
        guard fsync(folder.rawValue) == 0 else { throw .last("fsync") }
    }

    /// A file for reading; nil if there is none of the name.
    func open(_ name: String) throws(PosixError) -> Descriptor? {
        do throws(PosixError) {
            return try Descriptor.open(path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return nil
        }
    }

    private static func rename(_ old: String, _ new: String) throws(PosixError) {
        guard unsafe Glibc.rename(old, new) == 0 else { throw .last("rename") }
    }

    /// The number of a full file; nil for any other name.
    private static func number(_ name: String) -> UInt32? {
        guard name.hasPrefix("\(current).") else { return nil }
        let digits = name.dropFirst(current.count + 1)
        guard let number = UInt32(digits), String(number) == digits, number > 0 else { return nil }
        return number
    }
}
