// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Files that are never seen half written.
package enum WholeFile {
    /// Writes a file whole or not at all: a new one in the same folder, flushed, takes the old one's place.
    ///
    /// Blocks until it is on disk. After a throw the old file stands, and nothing is left behind.
    ///
    /// - Parameters:
    ///   - mode: The permission bits, whatever the umask of the process.
    ///   - isOnlyWriter: Whether nobody else writes the file: then the new one always has one name, and what a kill left
    ///     of it is taken again instead of lying about.
    package static func write(
        _ bytes: RawSpan, to path: String, mode: UInt32 = 0o600, isOnlyWriter: Bool = false
    ) throws(PosixError) {
        // Whoever takes files by how their names end must not take this one.
        let fresh =
            isOnlyWriter ? "\(path).new" : "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
        let file = try Descriptor.open(
            fresh, O_WRONLY | O_CREAT | O_NOFOLLOW | (isOnlyWriter ? O_TRUNC : O_EXCL), mode: 0o600)
        do throws(PosixError) {
            try file.write(bytes)
            guard fchmod(file.rawValue, mode) == 0 else { throw .last("fchmod") }
            guard fsync(file.rawValue) == 0 else { throw .last("fsync") }
            guard unsafe rename(fresh, path) == 0 else { throw .last("rename") }
        } catch {
            // It is ours alone, and in nobody's way if it stays.
            unsafe unlink(fresh)
            throw error
        }
    }
}
