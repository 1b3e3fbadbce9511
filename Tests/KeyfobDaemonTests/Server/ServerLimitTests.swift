// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobDaemon
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// More of everything than is allowed.
struct ServerLimitTests {
    /// Connects as often as it is told, and writes what the server says on the last connection, in hexadecimal.
    private static let connecting = """
        use Socket; my @all; $SIG{PIPE} = 'IGNORE';
        for (1 .. $ARGV[1]) {
            socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; connect($s, sockaddr_un($ARGV[0])) or die "$!"; push @all, $s;
        }
        syswrite($all[-1], pack('NCCnN', 0, 1, 7, 0, 1));
        my $answer = ''; while (sysread($all[-1], my $part, 100)) { $answer .= $part; last if length($answer) > 12; }
        $| = 1; print unpack('H*', $answer), "\\n"; $_ = <STDIN>;
        """

    /// What the last of `count` connections of another user is told.
    private static func stranger(_ uid: Int, _ path: String, connecting count: Int) throws -> LiveProgram {
        try LiveProgram(
            path: "/usr/bin/perl", ["-e", connecting, path, "\(count)"],
            launcher: ["/usr/bin/setpriv", "--reuid=\(uid)", "--regid=\(uid)", "--clear-groups"])
    }

    /// The refusal of a connection, as `stranger` writes it.
    private static let turnedAway = "0000000101f0000000000000" + "04"

    @Test func `Requests wait while all workers but one are busy, and more than may are refused at once`() throws {
        let server = try TestServer {
            $0.workers = 3
            $0.queueLimit = 2
        }
        let hanging = try (0..<2).map { _ in try server.client() }
        for client in hanging { client.send(bytes(.hang)) }
        for _ in hanging { server.handler.gate.waitForArrival() }
        let waiting = try (0..<2).map { _ in try server.client() }
        for client in waiting { client.send(bytes(.echo, 2, [1])) }
        #expect(eventually { server.counts.queued == 2 })
        let refused = try server.client()
        #expect(try refused.ask(.echo, id: 9) == .refused(.busy, id: 9))
        #expect(server.counts.busy == 1)
        for _ in hanging { server.handler.gate.open() }
        for client in waiting { #expect(try client.receive() == .answered(.echo, [1], id: 2)) }
        for client in hanging { #expect(try client.receive() == .answered(.hang)) }
        #expect(try refused.ask(.echo, [3]) == .answered(.echo, [3]))
        #expect(eventually { server.counts.queued == 0 && server.counts.running == 0 })
        #expect(server.counts.bytesInFlight == 0)
    }

    @Test func `Large frames wait too, and what was sent behind them`() throws {
        let server = try TestServer { $0.workers = 2 }
        let hanging = try server.client()
        hanging.send(bytes(.hang))
        server.handler.gate.waitForArrival()
        let client = try server.client()
        let body = [UInt8](repeating: 8, count: 100_000)
        client.send(bytes(.echo, 1, body) + bytes(.echo, 2, [1]))
        #expect(eventually { server.counts.queued == 1 })
        server.handler.gate.open()
        #expect(try client.receive() == .answered(.echo, body, id: 1))
        #expect(try client.receive() == .answered(.echo, [1], id: 2))
        #expect(try hanging.receive() == .answered(.hang))
    }

    @Test func `A connection too many is told so, and there is room when another goes`() throws {
        let server = try TestServer { $0.connections = 2 }
        let first = try server.client()
        #expect(try first.ask(.echo) == .answered(.echo))
        do {
            let second = try server.client()
            #expect(try second.ask(.echo) == .answered(.echo))
            let third = try server.client()
            #expect(try third.receive() == .refused(.tooManyConnections, id: 0))
            #expect(try third.receive() == .end)
            #expect(server.counts.refused == 1)
            second.socket.shutDown()
        }
        #expect(eventually { server.counts.connections == 1 })
        #expect(try server.client().ask(.echo) == .answered(.echo))
    }

    @Test func `Another user has fewer connections, and leaves some for the owner`() throws {
        try #require(geteuid() == 0, "this test becomes other users")
        let server = try TestServer(mode: 0o666) {
            $0.connections = 12
            $0.connectionsOfOneUser = 6
            $0.connectionsForOwner = 2
        }
        let first = try Self.stranger(54321, server.path, connecting: 6)
        #expect(first.line()?.hasPrefix("0000000501070000") == true, "\(first.errorText)")
        let refused = try Self.stranger(54321, server.path, connecting: 1)
        #expect(refused.line() == Self.turnedAway)
        let second = try Self.stranger(54322, server.path, connecting: 5)
        #expect(second.line() == Self.turnedAway)
        let owner = try (0..<2).map { _ in try server.client() }
        for client in owner { #expect(try client.ask(.echo) == .answered(.echo)) }
        for program in [first, refused, second] { program.endByForce() }
        #expect(eventually { server.counts.connections == 2 })
    }

    @Test func `A user whom the handler calls the owner has the owner's limits`() throws {
        try #require(geteuid() == 0, "this test becomes another user")
        let server = try TestServer(mode: 0o666, handler: EchoHandler(owners: [54321])) { $0.connectionsOfOneUser = 1 }
        let owner = try Self.stranger(54321, server.path, connecting: 3)
        #expect(owner.line() == "000000050107000000000001" + "3534333231")
        let other = try Self.stranger(54322, server.path, connecting: 2)
        #expect(other.line() == Self.turnedAway)
    }

    @Test func `A user who may not connect does not`() throws {
        try #require(geteuid() == 0, "this test becomes another user")
        let server = try TestServer()
        unsafe chmod(server.folder, 0o755)
        let program = try Self.stranger(54321, server.path, connecting: 1)
        #expect(program.line() == nil)
        #expect(program.wait() != 0)
        #expect(program.errorText.contains("Permission denied"))
        #expect(server.counts.accepted == 0)
    }

    @Test func `Frames that need more memory than there is are refused, and others go on`() throws {
        let server = try TestServer { $0.bytesInFlight = 1 << 20 }
        let client = try server.client()
        let sending = Background { client.send(bytes(.echo, 1, [UInt8](repeating: 1, count: 2 << 20))) }
        #expect(try client.receive() == .refused(.tooManyBytes))
        #expect(try sending.value() == false)
        #expect(try server.client().ask(.echo, [1]) == .answered(.echo, [1]))
        #expect(server.counts.tooManyBytes == 1)
        #expect(eventually { server.counts.bytesInFlight == 0 })
    }

    @Test func `An answer that nobody reads and there is no room for ends its connection`() throws {
        let server = try TestServer { $0.bytesInFlight = 1 << 20 }
        let client = try server.client()
        client.send(bytes(.big, 1, [0, 64, 0, 0]))
        #expect(eventually { server.counts.tooManyBytes == 1 && server.counts.connections == 0 })
        #expect(server.counts.bytesInFlight == 0)
        client.socket.shutDown()
    }

    @Test func `Without descriptors accepting pauses and goes on`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer { $0.acceptPause = .milliseconds(5) }
            let early = try server.client()
            demand(try early.ask(.echo) == .answered(.echo))
            let late = try UnixSocket.connect(server.path, timeout: .seconds(120))
            demand(eventually { server.counts.accepted == 2 })
            // The descriptor of the next client exists before there are no more.
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var limit = rlimit()
            demand(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            limit.rlim_cur = 64
            demand(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var taken: [Int32] = []
            while true {
                let copy = dup(STDIN_FILENO)
                if copy < 0 { break }
                taken.append(copy)
            }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: server.path.utf8) }
            let connected = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            demand(connected == 0)
            demand(eventually { server.counts.acceptPauses >= 2 })
            demand(server.counts.acceptPauses < 10_000, "accepting spins")
            demand(try early.ask(.echo, [1]) == .answered(.echo, [1]))
            for descriptor in taken { close(descriptor) }
            demand(eventually { server.counts.accepted == 3 })
            _ = consume late
        }
    }

    @Test func `Where fewer descriptors are allowed there are fewer connections`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 64, rlim_max: 132)
            demand(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            let server = try TestServer()
            let clients = try (0..<5).map { _ in try server.client() }
            for client in clients.prefix(4) { demand(try client.ask(.echo) == .answered(.echo)) }
            demand(try clients[4].receive() == .refused(.tooManyConnections, id: 0))
        }
    }
}
