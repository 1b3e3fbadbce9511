// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobPlatform
import Testing

@Suite struct ForkGuardTests {
    /// The exit status of a child that says 1 for true.
    private func inChild(_ question: () -> Bool) throws -> Int32 {
        // Swift hides fork(2): a child may do next to nothing. This one asks and ends.
        let symbol = unsafe try #require(unsafe dlsym(nil, "fork"))
        let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            alarm(30)
            _exit(question() ? 1 : 0)
        }
        try #require(child > 0)
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        try #require(status & 0x7F == 0)
        return (status >> 8) & 0xFF
    }

    @Test func `A child of a fork is told from the process that the guard was made in`() throws {
        let guarded = ForkGuard()
        #expect(!guarded.isChild)
        #expect(try inChild { guarded.isChild } == 1)
        #expect(!guarded.isChild)
    }

    @Test func `A guard that is made in the child is at home there`() throws {
        _ = ForkGuard()
        #expect(try inChild { ForkGuard().isChild } == 0)
    }
}
