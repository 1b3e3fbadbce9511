// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobDaemon
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Testing

/// How a server ends.
struct ServerStopTests {
    @Test func `The socket's file goes, and nobody connects any more`() throws {
        let server = try TestServer()
        server.server.stop(grace: .zero)
        unsafe #expect(access(server.path, F_OK) != 0)
        #expect(throws: KeychainError.self) { try server.client() }
    }

    @Test func `Idle connections end`() throws {
        let server = try TestServer()
        let clients = try (0..<10).map { _ in try server.client() }
        for client in clients { #expect(try client.ask(.echo) == .answered(.echo)) }
        server.server.stop(grace: .seconds(60))
        for client in clients { #expect(try client.receive() == .end) }
        #expect(server.counts.connections == 0)
    }

    @Test func `Requests that run or wait are answered first`() throws {
        let server = try TestServer { $0.workers = 2 }
        let (running, waiting) = (try server.client(), try server.client())
        running.send(bytes(.hang, 1, [1]))
        server.handler.gate.waitForArrival()
        waiting.send(bytes(.echo, 2, [2]))
        #expect(eventually { server.counts.queued == 1 })
        let stopping = Background { server.server.stop(grace: .seconds(60)) }
        #expect(eventually { unsafe access(server.path, F_OK) != 0 })
        server.handler.gate.open()
        try stopping.value()
        #expect(try running.receive() == .answered(.hang, [1]))
        #expect(try waiting.receive() == .answered(.echo, [2], id: 2))
        #expect(try running.receive() == .end)
    }

    @Test func `A request that outlasts the grace is told that the server stops`() throws {
        let server = try TestServer { $0.workers = 2 }
        let (running, waiting) = (try server.client(), try server.client())
        running.send(bytes(.hang))
        server.handler.gate.waitForArrival()
        waiting.send(bytes(.echo, 2))
        #expect(eventually { server.counts.queued == 1 })
        server.server.stop(grace: .milliseconds(20))
        #expect(try running.receive() == .refused(.stopping))
        #expect(try waiting.receive() == .refused(.stopping, id: 2))
        #expect(try running.receive() == .end)
        server.handler.gate.open()
    }

    @Test func `An answer that is being read is read to its end`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(bytes(.big, 1, [0, 64, 0, 0]))
        #expect(eventually { server.counts.bytesInFlight > 0 })
        let stopping = Background { server.server.stop(grace: .seconds(60)) }
        #expect(eventually { unsafe access(server.path, F_OK) != 0 })
        #expect(try client.receive() == .answered(.big, [UInt8](repeating: 7, count: 64 << 16)))
        try stopping.value()
        #expect(try client.receive() == .end)
    }

    @Test func `An answer that nobody reads holds nobody up beyond the grace`() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(bytes(.big, 1, [0, 64, 0, 0]))
        #expect(eventually { server.counts.bytesInFlight > 0 })
        let before = Moment.now
        server.server.stop(grace: .milliseconds(30))
        #expect(before.duration(to: .now) < .seconds(30))
        client.socket.shutDown()
    }

    @Test func `Stopping under load answers every request or ends its connection`() throws {
        let server = try TestServer()
        let started = Shared(0)
        let clients = (0..<16).map { _ in
            Background { () -> String? in
                let client = try server.client()
                var id: UInt32 = 1
                while true {
                    if id == 20 { started.change { $0 += 1 } }
                    client.send(bytes(.echo, id, [7]))
                    switch try client.receive() {
                    case .answered(.echo, [7], id: id): id += 1
                    case .refused(.stopping, id: id), .end: return nil
                    case let answer: return "\(answer)"
                    }
                }
            }
        }
        #expect(eventually { started.now == 16 })
        server.server.stop(grace: .seconds(60))
        for client in clients { #expect(try client.value() == nil) }
        #expect(server.counts.connections == 0)
        #expect(server.counts.running == 0)
    }

    @Test func `No thread and no descriptor stays`() async {
        await #expect(processExitsWith: .success) {
            func threads() throws -> Int {
                // Others come and go meanwhile.
                try FolderNames.of("/proc/self/task").filter { task in
                    guard let file = try? Descriptor.open("/proc/self/task/\(task)/comm", O_RDONLY),
                        let name = try? file.contents(limit: 100)
                    else { return false }
                    return String(decoding: name, as: UTF8.self).hasPrefix("keyfobd-")
                }.count
            }
            func descriptors(_ kinds: String...) throws -> Int {
                try FolderNames.of("/proc/self/fd").filter { number in
                    var target = [CChar](repeating: 0, count: 4096)
                    let count = unsafe readlink("/proc/self/fd/\(number)", &target, target.count)
                    let text = String(
                        decoding: target.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
                    return kinds.contains { text.contains($0) }
                }.count
            }
            let handler = EchoHandler()
            let path = "/tmp/keyfob-test-\(getpid()).sock"
            let (sockets, events) = (try descriptors("socket:", "pidfd"), try descriptors("eventpoll", "eventfd"))
            for _ in 0..<8 {
                let server = try Server(handler)
                server.listen(on: try ListeningSocket.listen(path))
                try server.start()
                let client = try TestClient(path)
                demand(try client.ask(.echo, [1]) == .answered(.echo, [1]))
                // A thread takes its name when it first runs, and leaves the list a moment after it was joined.
                demand(try eventually { try threads() == ServerSettings().workers + 1 }, "threads are missing")
                server.stop(grace: .seconds(60))
                demand(try eventually { try threads() == 0 }, "a thread stays")
            }
            demand(try eventually { try descriptors("socket:", "pidfd") == sockets }, "a socket stays")
            // The runtime of the test makes some of its own when it likes, and not eight times.
            demand(try eventually { try descriptors("eventpoll", "eventfd") < events + 8 }, "an event queue stays")
        }
    }

    @Test func `A server that was never started ends at once`() throws {
        let server = try Server(EchoHandler())
        server.stop(grace: .seconds(60))
        #expect(server.counts == ServerCounts())
    }

    @Test func `A socket that was adopted keeps its file`() throws {
        let folder = try TestServer()
        let path = folder.folder + "/adopted.sock"
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(listen(number, 16) == 0)
        let server = try Server(EchoHandler())
        server.listen(on: try ListeningSocket.adopt(Descriptor(owning: number)))
        try server.start()
        #expect(try TestClient(path).ask(.echo) == .answered(.echo))
        server.stop(grace: .zero)
        unsafe #expect(access(path, F_OK) == 0)
    }
}
