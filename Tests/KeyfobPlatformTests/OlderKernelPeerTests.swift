// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobPlatform

/// Who is at the other end of a socket where the kernel does not know `SO_PEERPIDFD` (before Linux 6.5).
struct OlderKernelPeerTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        unsafe chmod(folder.path, 0o755)
        path = folder("keyfobd.sock")
    }

    /// What an older kernel says of an option that it does not know.
    private static func unknown(_ socket: borrowing Descriptor) throws(PosixError) -> ProcessHandle {
        throw PosixError(call: "getsockopt", errno: ENOPROTOOPT)
    }

    private func peer(_ socket: borrowing UnixSocket) throws -> Caller {
        try Caller.peer(of: socket, handle: Self.unknown)
    }

    /// The number of a process that has connected and ended.
    private func ended() throws -> Int32 {
        let program = try PeerProgram.connecting(to: path)
        program.endByForce()
        return program.pid
    }

    private func expectNothing(_ caller: Caller, of pid: Int32) {
        #expect(caller.uid == geteuid())
        #expect(caller.gid == getegid())
        #expect(caller.pid == pid)
        #expect(caller.startTime == 0)
        #expect(caller.executable == nil)
        #expect(caller.unit == nil)
    }

    @Test(arguments: [[], ["/usr/bin/setpriv", "--reuid=54321", "--regid=54322", "--groups=54323,54324"]])
    func `The caller is the one that a newer kernel names`(launcher: [String]) throws {
        let listener = try ListeningSocket.listen(path, mode: 0o666)
        let program = try PeerProgram.connecting(to: path, launcher: launcher)
        let socket = try listener.accepted()
        let caller = try peer(socket)
        #expect(caller == (try Caller.peer(of: socket)))
        #expect(caller.pid == program.pid)
        #expect(caller.startTime > 0)
    }

    @Test func `This process is its own peer as it sees itself`() throws {
        let pair = try UnixSocket.pair()
        #expect(try peer(pair.left) == Caller.current())
    }

    @Test func `A process that is gone has ids and nothing else`() throws {
        let listener = try ListeningSocket.listen(path)
        let pid = try ended()
        let socket = try listener.accepted()
        expectNothing(try peer(socket), of: pid)
    }

    @Test(arguments: ["--reuid=54321", "--regid=54322", "--groups=54323"])
    func `A process of other ids or groups that got the number is not taken for it`(change: String) throws {
        let listener = try ListeningSocket.listen(path)
        let pid = try ended()
        let socket = try listener.accepted()
        let groups = change.hasPrefix("--groups") ? [] : ["--keep-groups"]
        let other = try PeerProgram.taking(pid, launcher: ["/usr/bin/setpriv", change] + groups)
        #expect(try Caller.of(pid: pid).startTime > 0, "the number is in use again")
        expectNothing(try peer(socket), of: pid)
        expectNothing(try Caller.peer(of: socket), of: pid)
        other.endInput()
    }

    @Test func `A process that started after it was asked for is not taken for it, whoever it is`() throws {
        let listener = try ListeningSocket.listen(path)
        let program = try PeerProgram.connecting(to: path)
        let socket = try listener.accepted()
        var other: LiveProgram?
        let caller = try Caller.peer(of: socket) { (_) throws(PosixError) in
            let asked = ProcessTicks.now
            program.endByForce()
            while ProcessTicks.now == asked { sched_yield() }
            other = try? PeerProgram.taking(program.pid)  // One that did not start is missed below.
            throw PosixError(call: "getsockopt", errno: ENOPROTOOPT)
        }
        #expect(try Caller.of(pid: program.pid).startTime > 0, "the number is in use again")
        expectNothing(caller, of: program.pid)
        other?.endInput()
    }

    @Test func `A process of the same user that got the number before is taken for it, but not by a newer kernel`()
        throws
    {
        let listener = try ListeningSocket.listen(path)
        let pid = try ended()
        let socket = try listener.accepted()
        let other = try PeerProgram.taking(pid)
        #expect(try peer(socket) == Caller.of(pid: pid))
        expectNothing(try Caller.peer(of: socket), of: pid)
        other.endInput()
    }

    @Test(arguments: [ESRCH, ENODATA, EINVAL])
    func `A kernel that knows the option and finds no process is believed`(errno: Int32) throws {
        let pair = try UnixSocket.pair()
        let caller = try Caller.peer(of: pair.left) { (_) throws(PosixError) in
            throw PosixError(call: "getsockopt", errno: errno)
        }
        expectNothing(caller, of: getpid())
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM])
    func `Without descriptors or memory to look with nobody is named`(errno: Int32) throws {
        let pair = try UnixSocket.pair()
        #expect(throws: PosixError(call: "getsockopt", errno: errno)) {
            try Caller.peer(of: pair.left) { (_) throws(PosixError) in
                throw PosixError(call: "getsockopt", errno: errno)
            }
        }
    }
}
