// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobDaemon
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire
import Testing

/// What a client is answered.
struct ServerTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    @Test func `A request is answered on its connection, with its id`() throws {
        let client = try server.client()
        #expect(try client.ask(.echo, [1, 2, 3], id: 77) == .answered(.echo, [1, 2, 3], id: 77))
    }

    @Test func `One connection has many requests, one after the other`() throws {
        let client = try server.client()
        for id in 1...500 as ClosedRange<UInt32> {
            #expect(try client.ask(.echo, [UInt8(id % 251)], id: id) == .answered(.echo, [UInt8(id % 251)], id: id))
        }
    }

    @Test func `Clients that take turns are all answered while a worker stays with one of them`() throws {
        let clients = try (0..<5).map { _ in try server.client() }
        for id in 1...200 as ClosedRange<UInt32> {
            let client = clients[Int(id) % clients.count]
            #expect(try client.ask(.echo, [UInt8(id)], id: id) == .answered(.echo, [UInt8(id)], id: id))
        }
    }

    @Test func `A client that goes away while a worker stays with it is forgotten`() throws {
        let other = try server.client()
        do {
            let client = try server.client()
            #expect(try client.ask(.echo, [1]) == .answered(.echo, [1]))
        }
        #expect(try other.ask(.echo, [2]) == .answered(.echo, [2]))
        #expect(eventually { server.counts.connections == 1 })
    }

    @Test func `The handler sees who connected`() throws {
        #expect(try server.client().ask(.identity) == .answered(.identity, Array("\(geteuid())".utf8)))
    }

    @Test func `What the handler keeps belongs to the connection`() throws {
        let (first, second) = (try server.client(), try server.client())
        #expect(try first.ask(.count) == .answered(.count, [1]))
        #expect(try first.ask(.count) == .answered(.count, [2]))
        #expect(try second.ask(.count) == .answered(.count, [1]))
    }

    @Test(arguments: [0, 1, 4084, 4085, 16372, 16373, 65524, 65525, 300_000, 3_000_000])
    func `A body of any size arrives and comes back`(size: Int) throws {
        let client = try server.client()
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let sending = Background { client.send(bytes(.echo, 1, body)) }
        #expect(try client.receive() == .answered(.echo, body))
        #expect(try sending.value())
        #expect(try client.ask(.echo, [9]) == .answered(.echo, [9]))
        #expect(server.counts.bytesInFlight == 0)
    }

    @Test func `A frame may come one byte at a time`() throws {
        let client = try server.client()
        for byte in bytes(.echo, 5, Array("slowly".utf8)) { client.send([byte]) }
        #expect(try client.receive() == .answered(.echo, Array("slowly".utf8), id: 5))
    }

    @Test func `Frames that are sent together are answered in order`() throws {
        let client = try server.client()
        let frames = (1...200 as ClosedRange<UInt32>).flatMap {
            bytes(.echo, $0, [UInt8](repeating: 3, count: Int($0)))
        }
        client.send(frames)
        for id in 1...200 as ClosedRange<UInt32> {
            #expect(try client.receive() == .answered(.echo, [UInt8](repeating: 3, count: Int(id)), id: id))
        }
    }

    @Test func `A frame and a part of the next are one answer, and another when the rest has come`() throws {
        let client = try server.client()
        let second = bytes(.echo, 2, [4, 5, 6])
        client.send(bytes(.echo, 1, [1]) + second.prefix(7))
        #expect(try client.receive() == .answered(.echo, [1], id: 1))
        client.send(Array(second.dropFirst(7)))
        #expect(try client.receive() == .answered(.echo, [4, 5, 6], id: 2))
    }

    @Test func `A client that sends no more is still answered`() throws {
        let client = try server.client()
        client.send(bytes(.echo, 1, [1]) + bytes(.echo, 2, [2]))
        client.socket.shutDownSending()
        #expect(try client.receive() == .answered(.echo, [1], id: 1))
        #expect(try client.receive() == .answered(.echo, [2], id: 2))
        #expect(try client.receive() == .end)
    }

    @Test func `The handler may end the connection, with an answer or without`() throws {
        #expect(try server.client().ask(.close) == .end)
        let client = try server.client()
        #expect(try client.ask(.sendAndClose, [1]) == .answered(.sendAndClose, [1]))
        #expect(try client.receive() == .end)
    }

    @Test func `Frames before the answer come in order`() throws {
        let client = try server.client()
        client.send(bytes(.progress, 1, [3]))
        for number in 0..<3 as Range<UInt8> { #expect(try client.receive() == .answered(.progress, [number])) }
        #expect(try client.receive() == .answered(.echo, [3]))
    }

    @Test func `A client that goes away before its answer harms nobody`() throws {
        for _ in 0..<20 {
            let client = try server.client()
            client.send(bytes(.big, 1, [0, 16, 0, 0]))
        }
        #expect(eventually { server.counts.connections == 0 })
        #expect(server.counts.bytesInFlight == 0)
        #expect(try server.client().ask(.echo) == .answered(.echo))
    }

    @Test func `An answer larger than the socket's room is read in peace`() throws {
        let client = try server.client()
        client.send(bytes(.big, 1, [0, 64, 0, 0]) + bytes(.echo, 2))
        #expect(eventually { server.counts.bytesInFlight > 4 << 20 })
        #expect(try client.receive() == .answered(.big, [UInt8](repeating: 7, count: 64 << 16)))
        #expect(try client.receive() == .answered(.echo, id: 2))
        #expect(eventually { server.counts.bytesInFlight == 0 })
    }

    @Test func `Several sockets are served`() throws {
        let other = server.folder + "/other.sock"
        let handler = EchoHandler()
        let both = try Server(handler)
        both.listen(on: try ListeningSocket.listen(other))
        both.listen(on: try ListeningSocket.listen(server.folder + "/third.sock"))
        try both.start()
        #expect(try TestClient(other).ask(.echo, [1]) == .answered(.echo, [1]))
        #expect(try TestClient(server.folder + "/third.sock").ask(.echo, [2]) == .answered(.echo, [2]))
        both.stop(grace: .zero)
    }

    @Test func `What happened is counted`() throws {
        let client = try server.client()
        _ = try client.ask(.echo, [1, 2, 3])
        _ = try client.ask(.echo)
        #expect(eventually { server.handler.served == [.answered, .answered] })
        let counts = server.counts
        #expect(counts.accepted == 1)
        #expect(counts.connections == 1)
        #expect(counts.requests == 2)
        #expect(counts.bytesIn == 27)
        #expect(counts.bytesOut == 27)
        #expect(counts.protocolErrors == 0)
    }

    // MARK: - What is no frame

    @Test func `A length beyond the protocol's is refused before anything of it is read`() throws {
        let client = try server.client()
        client.send([0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 0, 0, 0, 0, 0, 9])
        #expect(try client.receive() == .refused(.malformed(WireError(at: 0, .tooLarge)), id: 9))
        #expect(try client.receive() == .end)
        #expect(server.counts.protocolErrors == 1)
        #expect(server.counts.bytesInFlight == 0)
    }

    @Test func `A length that is only promised takes no memory`() throws {
        let client = try server.client()
        client.send(Array(FrameHeader(length: 60 << 20, operation: 1, requestID: 1).encoded + [1, 2, 3]))
        #expect(eventually { server.counts.bytesIn == 15 })
        #expect(eventually { server.counts.bytesInFlight == 4096 })
        client.socket.shutDown()
    }

    @Test func `A frame of another version is refused by its header alone`() throws {
        let client = try server.client()
        client.send(FrameHeader(length: 1000, version: 2, operation: 1, requestID: 6).encoded)
        #expect(try client.receive() == .refused(.protocolMismatch, id: 6))
        #expect(try client.receive() == .end)
    }

    @Test func `Garbage ends the connection and no other`() throws {
        let other = try server.client()
        var random = SeededRandom(seed: 4)
        for _ in 0..<50 {
            let client = try server.client()
            client.send((0..<64).map { _ in UInt8.random(in: 128...255, using: &random) })
            guard case .frame(EchoHandler.refusal, _, _) = try client.receive() else {
                Issue.record("garbage was taken for a frame")
                continue
            }
            #expect(try client.receive() == .end)
        }
        #expect(try other.ask(.echo, [1]) == .answered(.echo, [1]))
        #expect(server.counts.protocolErrors == 50)
    }

    @Test func `Garbage after a frame ends the connection after the answer`() throws {
        let client = try server.client()
        client.send(bytes(.echo, 1, [1]) + [UInt8](repeating: 0xFF, count: 12))
        #expect(try client.receive() == .answered(.echo, [1]))
        #expect(try client.receive() == .refused(.protocolMismatch, id: 0xFFFF_FFFF))
        #expect(try client.receive() == .end)
    }

    @Test func `A frame that never becomes whole is counted when its client goes`() throws {
        for part in [3, 12, 14] {
            let client = try server.client()
            client.send(Array(bytes(.echo, 1, [1, 2, 3, 4]).prefix(part)))
            client.socket.shutDownSending()
            #expect(try client.receive() == .end)
        }
        #expect(eventually { server.counts.protocolErrors == 3 })
        #expect(eventually { server.counts.connections == 0 && server.counts.bytesInFlight == 0 })
    }
}
