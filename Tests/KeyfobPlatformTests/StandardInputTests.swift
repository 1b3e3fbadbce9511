// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import Testing

struct StandardInputTests {
    @Test func `Standard input is read to its end, newlines included`() async {
        await #expect(processExitsWith: .success) {
            let input = try pipe(holding: "two\nlines\n")
            dup2(input.rawValue, STDIN_FILENO)
            let whole = try StandardInput.readSecret(limit: 100).exposed
            precondition(whole == "two\nlines\n")
            precondition(!StandardInput.isTerminal)
            // Still open, and at its end.
            let rest = try StandardInput.readSecret(limit: 100)
            precondition(rest.isEmpty)
        }
    }

    @Test func `More than the limit is refused`() async {
        await #expect(processExitsWith: .success) {
            let input = try pipe(holding: "12345")
            dup2(input.rawValue, STDIN_FILENO)
            let error = failure { () throws(KeychainError) in try StandardInput.readSecret(limit: 4) }
            precondition(error?.code == .invalidParameter)
        }
    }

    @Test func `A standard input that was closed is an error`() async {
        await #expect(processExitsWith: .success) {
            close(STDIN_FILENO)
            let error = failure { () throws(KeychainError) in try StandardInput.readSecret(limit: 4) }
            precondition(error?.cause == .posix(call: "fcntl", errno: EBADF))
        }
    }
}
