// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc
package import KeyfobModel

/// Descriptors that the program was started with.
package enum InheritedDescriptors {
    /// Closes all but the standard ones and `kept`; call it before anything is opened.
    ///
    /// What whoever started the daemon left open would live as long as the daemon does: a lock, a file that was
    /// deleted, a connection whose other end waits for its end.
    ///
    /// - Throws: `.internalError` if the kernel refuses (close_range(2), Linux 5.9).
    package static func close(except kept: [Int32]) throws(KeychainError) {
        var next = UInt32(STDERR_FILENO + 1)
        for number in Set(kept).filter({ $0 > STDERR_FILENO }).sorted().map(UInt32.init) {
            if next < number { try close(next, number - 1) }
            next = number + 1
        }
        try close(next, UInt32.max)
    }

    /// Checks that a descriptor is open, and lets no child inherit it.
    ///
    /// - Throws: `.configurationInvalid` if it is not open.
    package static func verify(_ descriptor: Int32, option: String) throws(KeychainError) {
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw KeychainError(
                .configurationInvalid, .serve, subject: .parameter("\(option) \(descriptor)"),
                cause: .posix(call: "fcntl", errno: errno), remedy: .fixConfiguration)
        }
    }

    private static func close(_ first: UInt32, _ last: UInt32) throws(KeychainError) {
        guard keyfob_close_range(first, last) == 0 else {
            throw KeychainError(.internalError, .serve, cause: .posix(call: "close_range", errno: errno))
        }
    }
}
