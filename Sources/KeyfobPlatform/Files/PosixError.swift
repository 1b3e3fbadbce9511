// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The failure of a system call.
package struct PosixError: Error, Hashable, Sendable {
    /// The name of the call, `open` for instance.
    package let call: String
    /// The value of `errno` after it.
    package let errno: Int32

    package init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The failure of the call that has just been made on this thread.
    package static func last(_ call: String) -> Self {
        Self(call: call, errno: Glibc.errno)
    }
}
