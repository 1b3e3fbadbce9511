// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc

/// The address of a socket in the file system; good for as long as it lives.
///
/// The kernel takes 107 bytes. A longer path goes by way of its folder, which is held open: `/proc/self/fd/<n>/<name>`.
struct SocketAddress: ~Copyable {
    /// The most bytes of a path in an address (unix(7), `sun_path`, less the zero at its end).
    static let limit = 107

    private let name: [UInt8]
    private let folder: Descriptor?

    /// - Throws: `ENAMETOOLONG` if not even the name fits, `EINVAL` for an empty path or one with a zero in it, and the
    ///   errors of opening the folder.
    static func of(_ path: String) throws(PosixError) -> SocketAddress {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw PosixError(call: "bind", errno: EINVAL) }
        if path.utf8.count <= Self.limit {
            return SocketAddress(name: Array(path.utf8), folder: nil)
        }
        let (parent, last) = Self.split(path)
        let number = unsafe keyfob_folder_open(parent)
        guard number >= 0 else { throw .last("open") }
        let folder = Descriptor(owning: number)
        let name = Array("/proc/self/fd/\(number)/\(last)".utf8)
        guard name.count <= Self.limit else { throw PosixError(call: "bind", errno: ENAMETOOLONG) }
        return SocketAddress(name: name, folder: folder)
    }

    /// The folder and the name of a path.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// Lends the address to a C function.
    func withAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
