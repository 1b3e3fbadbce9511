// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import KeyfobMemory
package import KeyfobModel

/// Standard input as a place that a secret comes from.
package enum StandardInput {
    /// Everything to the end of standard input, newlines included.
    ///
    /// Blocks until the writer closes.
    ///
    /// - Throws: `.invalidParameter` if it is more than `limit` bytes, `.inputOutput`, and the errors of memory.
    package static func readSecret(
        limit: Int, _ operation: KeychainError.Operation = .prompt
    ) throws(KeychainError) -> SecretBytes {
        // A second descriptor, so that this owner's end does not close standard input.
        let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw KeychainError(.last("fcntl"), operation, path: "/dev/stdin") }
        return try SecretBytes.contents(of: Descriptor(owning: copy), limit: limit, path: "/dev/stdin", operation)
    }

    /// Whether a person sits at standard input.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
