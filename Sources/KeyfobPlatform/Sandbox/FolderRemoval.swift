// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Removes what lies in an open folder.
enum FolderRemoval {
    /// Removes everything in the folder but the file of the name `spared`.
    ///
    /// Works by descriptors: no link is followed, and whatever is put in a folder's place meanwhile is not entered.
    ///
    /// - Throws: `EXDEV` at another file system; the errors of the calls. What is gone already is no error.
    static func empty(_ folder: borrowing Descriptor, sparing spared: String? = nil) throws(PosixError) {
        let device = try device(of: folder)
        for name in try names(in: folder) where name != Array((spared ?? "").utf8CString) {
            if unsafe unlinkat(folder.rawValue, name, 0) == 0 || errno == ENOENT { continue }
            guard errno == EISDIR else { throw .last("unlinkat") }
            let number = unsafe openat(folder.rawValue, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard number >= 0 else { throw .last("openat") }
            let inner = Descriptor(owning: number)
            guard try Self.device(of: inner) == device else { throw PosixError(call: "unlinkat", errno: EXDEV) }
            try empty(inner)
            if unsafe unlinkat(folder.rawValue, name, AT_REMOVEDIR) != 0, errno != ENOENT { throw .last("unlinkat") }
        }
    }

    /// The names as C strings, whatever their bytes.
    static func names(in folder: borrowing Descriptor) throws(PosixError) -> [[CChar]] {
        let number = unsafe openat(folder.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last("openat") }
        guard let stream = unsafe fdopendir(number) else {
            close(number)
            throw .last("fdopendir")
        }
        defer { unsafe closedir(stream) }
        var names: [[CChar]] = []
        errno = 0
        while let found = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: found.pointee.d_name) { bytes in
                unsafe bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            if name != [0x2E, 0] && name != [0x2E, 0x2E, 0] { names.append(name) }
        }
        guard errno == 0 else { throw .last("readdir") }
        return names
    }

    private static func device(of folder: borrowing Descriptor) throws(PosixError) -> UInt {
        var status = stat()
        guard unsafe fstat(folder.rawValue, &status) == 0 else { throw .last("fstat") }
        return UInt(status.st_dev)
    }
}
