// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A manager's end of sd_notify(3): a datagram socket that `NOTIFY_SOCKET` can name.
package final class NotifySocket {
    /// What `NOTIFY_SOCKET` has to be; an abstract name, so that no file stays behind.
    package let name: String
    private let descriptor: Int32

    /// Binds a socket of a random name, and points `NOTIFY_SOCKET` of this process to it if told to: for processes of
    /// one test alone.
    package init(forThisProcess: Bool = true) {
        name = "@keyfob-test-\(UInt64.random(in: 0 ... .max))"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [0] + Array(name.utf8.dropFirst())
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let isBound = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { fatalError("cannot bind \(name)") }
        if forThisProcess { unsafe setenv("NOTIFY_SOCKET", name, 1) }
    }

    deinit { close(descriptor) }

    /// The next message; empty if none comes for `patience` seconds.
    package func message(patience: Int32 = 60) -> String {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&watched, 1, patience * 1000) > 0 else { return "" }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
    }

    /// The first message that holds `text`; empty if none does before `patience` seconds pass without any.
    package func message(holding text: String, patience: Int32 = 60) -> String {
        while true {
            let message = message(patience: patience)
            if message.isEmpty || message.contains(text) { return message }
        }
    }
}
