// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What lies in a folder.
package enum FolderNames {
    /// The names in byte order, without those that begin with a dot; one that is not UTF-8 is left out.
    package static func of(_ folder: String) throws(PosixError) -> [String] {
        guard !folder.utf8.contains(0) else { throw PosixError(call: "opendir", errno: EINVAL) }
        guard let directory = unsafe opendir(folder) else { throw .last("opendir") }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
                unsafe String(validating: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, !name.hasPrefix(".") { names.append(name) }
        }
        guard errno == 0 else { throw .last("readdir") }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
