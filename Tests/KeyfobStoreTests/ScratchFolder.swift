// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A random folder that goes with its owner.
final class ScratchFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/keyfob-store-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Unavailable(errno: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        guard let entries = unsafe opendir(path) else { return }
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { unsafe unlink(path + "/" + name) }
        }
        unsafe closedir(entries)
        unsafe rmdir(path)
    }

    /// The path of a file in it.
    func file(_ name: String) -> String { path + "/" + name }

    struct Unavailable: Error {
        let errno: Int32
    }
}
