// SPDX-License-Identifier: Apache-2.0

/// Why secret memory could not be had.
package struct SecretMemoryError: Error, Hashable, Sendable {
    /// The system call that failed: `mmap`, `mlock` or `mprotect`.
    package let call: StaticString
    /// The value of `errno` after it.
    package let errno: Int32

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.errno == rhs.errno && lhs.name == rhs.name
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(errno)
        hasher.combine(name)
    }

    /// The call's name as a string, for messages.
    package var name: String { "\(call)" }
}
