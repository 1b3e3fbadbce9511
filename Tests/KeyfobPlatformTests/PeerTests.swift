// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobPlatform

/// Who is at the other end of a socket, with real processes.
struct PeerTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        unsafe chmod(folder.path, 0o755)
        path = folder("keyfobd.sock")
    }

    private static func resolved(_ path: String) -> String? {
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    private func program(_ mode: String = "end", launcher: [String] = []) throws -> LiveProgram {
        try PeerProgram.connecting(to: path, mode, launcher: launcher)
    }

    @Test func `The peer is the process that connected, with its program and start`() throws {
        let listener = try ListeningSocket.listen(path)
        let program = try program()
        let caller = try Caller.peer(of: try listener.accepted())
        #expect(caller.pid == program.pid)
        #expect(caller.uid == geteuid())
        #expect(caller.gid == getegid())
        #expect(caller.executable == Self.resolved("/usr/bin/perl"))
        #expect(caller.startTime > 0)
        #expect(caller.startTime <= ProcessTicks.now)
        #expect(caller == (try Caller.of(pid: program.pid)))
    }

    @Test func `This process is its own peer as it sees itself`() throws {
        let pair = try UnixSocket.pair()
        #expect(try Caller.peer(of: pair.left) == Caller.current())
    }

    @Test func `Another user is seen with its ids and groups`() throws {
        try #require(geteuid() == 0, "this test becomes another user")
        let listener = try ListeningSocket.listen(path, mode: 0o666)
        let program = try program(
            launcher: ["/usr/bin/setpriv", "--reuid=54321", "--regid=54322", "--groups=54323,54324"])
        let caller = try Caller.peer(of: try listener.accepted())
        #expect(caller.uid == 54321)
        #expect(caller.gid == 54322)
        #expect(caller.groups.sorted() == [54323, 54324])
        #expect(caller.pid == program.pid)
        #expect(caller == (try Caller.of(pid: program.pid)))
    }

    @Test func `A user with more groups than the first try holds has them all`() throws {
        try #require(geteuid() == 0, "this test becomes another user")
        let listener = try ListeningSocket.listen(path, mode: 0o666)
        let groups = (60000..<60300).map { "\($0)" }
        let program = try program(
            launcher: ["/usr/bin/setpriv", "--reuid=54321", "--groups=" + groups.joined(separator: ",")])
        let caller = try Caller.peer(of: try listener.accepted())
        #expect(caller.groups.sorted() == groups.compactMap { UInt32($0) })
        program.endByForce()
    }

    @Test func `A process that is gone before it is asked has ids and neither program nor unit nor start`() throws {
        let listener = try ListeningSocket.listen(path)
        let program = try program()
        program.endByForce()
        let caller = try Caller.peer(of: try listener.accepted())
        #expect(caller.uid == geteuid())
        #expect(caller.pid == program.pid)
        #expect(caller.executable == nil)
        #expect(caller.unit == nil)
        #expect(caller.startTime == 0)
    }

    @Test func `A process that has ended and was not waited for is gone too`() throws {
        let listener = try ListeningSocket.listen(path)
        let program = try program()
        program.proceed()
        #expect(program.line() == nil, "its output ends with it")
        var information = unsafe siginfo_t()
        unsafe waitid(P_PID, id_t(program.pid), &information, WEXITED | WNOWAIT)
        let caller = try Caller.peer(of: try listener.accepted())
        #expect(caller.executable == nil)
        #expect(caller.startTime == 0)
    }

    @Test func `A process that replaced its program is seen as what it runs now, and is the same process`() throws {
        let listener = try ListeningSocket.listen(path)
        let program = try program("exec")
        let socket = try listener.accepted()
        let before = try Caller.peer(of: socket)
        program.proceed()
        program.send(Array("echo\n".utf8))
        #expect(program.line() == "echo", "\(program.errorText)")
        let after = try Caller.peer(of: socket)
        #expect(after.executable == Self.resolved("/usr/bin/cat"))
        #expect(after.executable != before.executable)
        #expect(after.pid == before.pid)
        #expect(after.startTime == before.startTime)
    }

    @Test func `A descriptor that is no socket has no peer`() throws {
        let file = UnixSocket(owning: try Descriptor.open("/dev/null", O_RDONLY))
        #expect(throws: PosixError(call: "getsockopt", errno: ENOTSOCK)) { try Caller.peer(of: file) }
    }

    @Test func `The server is known to the client`() throws {
        let listener = try ListeningSocket.listen(path)
        let client = try UnixSocket.connect(path, timeout: nil)
        #expect(PeerCredentials.of(client.descriptor) == PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid()))
        _ = consume listener
    }

    // MARK: - By number

    @Test(arguments: [0, -1, Int32.max])
    func `There is no process of such a number`(pid: Int32) {
        let error = failure { () throws(KeychainError) in try Caller.of(pid: pid) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.subject == .parameter("\(pid)"))
    }

    @Test func `A process that has ended is no caller`() throws {
        let listener = try ListeningSocket.listen(path)
        let program = try program()
        program.endByForce()
        #expect(failure { () throws(KeychainError) in try Caller.of(pid: program.pid) }?.code == .invalidParameter)
        _ = consume listener
    }

    // MARK: - Files of /proc

    @Test func `The start is counted after the name, whatever stands in it`() {
        let stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1 2"
        #expect(ProcessFacts.startTime(stat: stat) == 987654)
    }

    @Test(arguments: ["", "42", "42 (a) S 1 2", "42 a S 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654"])
    func `What is no stat file has no start`(stat: String) {
        #expect(ProcessFacts.startTime(stat: stat) == nil)
    }

    @Test func `The effective ids count`() {
        let status = "Name:\tx\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nGroups:\t9 10 \n"
        let identity = ProcessFacts.identity(status: status)
        #expect(identity?.uid == 2)
        #expect(identity?.gid == 6)
        #expect(identity?.groups == [9, 10])
    }

    @Test func `Without ids there is no identity`() {
        #expect(ProcessFacts.identity(status: "Name:\tx\nGid:\t5\t6\t7\t8\n") == nil)
    }
}
