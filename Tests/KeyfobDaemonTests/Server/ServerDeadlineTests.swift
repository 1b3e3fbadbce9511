// SPDX-License-Identifier: Apache-2.0
import KeyfobDaemon
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire
import Testing

/// Clients and handlers that take too long.
struct ServerDeadlineTests {
    @Test func `A frame that is not whole in time ends its connection`() throws {
        let server = try TestServer { $0.transferDeadline = .milliseconds(30) }
        let client = try server.client()
        client.send(Array(bytes(.echo, 1, [1, 2, 3]).prefix(13)))
        #expect(try client.receive() == .end)
        #expect(eventually { server.counts.slow == 1 && server.counts.connections == 0 })
    }

    @Test func `Bytes that trickle in do not put the deadline off`() throws {
        let server = try TestServer { $0.transferDeadline = .milliseconds(50) }
        let client = try server.client()
        client.send(FrameHeader(length: 60 << 20, operation: 1, requestID: 1).encoded)
        #expect(eventually { !client.send([1]) })
        #expect(eventually { server.counts.slow == 1 })
    }

    @Test func `An answer that is not read in time ends its connection`() throws {
        let server = try TestServer { $0.transferDeadline = .milliseconds(30) }
        let client = try server.client()
        client.send(bytes(.big, 1, [0, 64, 0, 0]))
        #expect(eventually { server.counts.slow == 1 && server.counts.connections == 0 })
        #expect(server.counts.bytesInFlight == 0)
        client.socket.shutDown()
    }

    @Test func `A flood of requests whose answers are not read ends its connection`() throws {
        let server = try TestServer { $0.transferDeadline = .milliseconds(100) }
        let client = try server.client()
        let frame = bytes(.echo, 1, [UInt8](repeating: 1, count: 4000))
        #expect(eventually { !client.send(frame) })
        #expect(eventually { server.counts.slow == 1 && server.counts.bytesInFlight == 0 })
    }

    @Test func `A connection on which nothing happens stays`() throws {
        let server = try TestServer { $0.transferDeadline = .milliseconds(10) }
        let idle = try server.client()
        #expect(try idle.ask(.echo) == .answered(.echo))
        let slow = try server.client()
        slow.send([0])
        #expect(try slow.receive() == .end)
        #expect(try idle.ask(.echo, [1]) == .answered(.echo, [1]))
    }

    // MARK: - Handlers

    @Test func `A request that hangs is answered once, and its late answer never`() throws {
        let server = try TestServer { $0.requestDeadline = .milliseconds(40) }
        let client = try server.client()
        #expect(try client.ask(.hang, id: 3) == .refused(.timedOut, id: 3))
        #expect(server.counts.writtenOff == 1)
        #expect(try client.ask(.echo, [1], id: 4) == .answered(.echo, [1], id: 4))
        server.handler.gate.open()
        #expect(eventually { server.counts.writtenOff == 0 })
        #expect(try client.ask(.echo, [2], id: 5) == .answered(.echo, [2], id: 5))
        #expect(server.handler.served.filter { $0 == .timedOut }.count == 1)
        #expect(server.counts.timedOut == 1)
        #expect(eventually { server.counts.running == 0 })
    }

    @Test func `Hanging requests leave as many threads to serve as before`() throws {
        let server = try TestServer {
            $0.workers = 2
            $0.requestDeadline = .milliseconds(40)
        }
        for _ in 0..<5 { #expect(try server.client().ask(.hang) == .refused(.timedOut)) }
        #expect(server.counts.writtenOff == 5)
        #expect(try server.client().ask(.echo) == .answered(.echo))
        for _ in 0..<5 { server.handler.gate.open() }
        #expect(eventually { server.counts.writtenOff == 0 })
    }

    @Test func `When as many hang as may, requests are refused until one comes back`() throws {
        let server = try TestServer {
            $0.requestDeadline = .milliseconds(40)
            $0.writtenOffLimit = 2
        }
        for _ in 0..<2 { #expect(try server.client().ask(.hang) == .refused(.timedOut)) }
        let client = try server.client()
        #expect(try client.ask(.echo, id: 8) == .refused(.unavailable, id: 8))
        server.handler.gate.open()
        #expect(eventually { server.counts.writtenOff == 1 })
        #expect(try client.ask(.echo, [1]) == .answered(.echo, [1]))
        server.handler.gate.open()
        #expect(eventually { server.counts.writtenOff == 0 })
    }

    @Test func `A request that waits too long for a worker is answered`() throws {
        let server = try TestServer {
            $0.workers = 2
            $0.requestDeadline = .milliseconds(200)
            $0.writtenOffLimit = 1
        }
        let (first, second) = (try server.client(), try server.client())
        first.send(bytes(.hang))
        server.handler.gate.waitForArrival()
        second.send(bytes(.echo, 2))
        #expect(try first.receive() == .refused(.timedOut))
        let answer = try second.receive()
        #expect(answer == .refused(.unavailable, id: 2) || answer == .refused(.timedOut, id: 2))
        server.handler.gate.open()
        #expect(eventually { server.counts.writtenOff == 0 })
        let next = try second.ask(.echo)
        #expect(next == .answered(.echo))
    }

    @Test func `Frames before the answer give the request its time again, until nobody listens`() throws {
        let server = try TestServer { $0.requestDeadline = .milliseconds(40) }
        let client = try server.client()
        client.send(bytes(.talk))
        let end = Moment.now + .milliseconds(200)
        while Moment.now < end {
            guard case .frame(EchoHandler.Operation.talk.rawValue, 1, _) = try client.receive() else {
                Issue.record("the request was cut short")
                break
            }
        }
        client.socket.shutDown()
        server.handler.gate.waitForArrival()
        server.handler.gate.open()
        #expect(eventually { server.counts.connections == 0 })
    }

    @Test func `What was sent behind a request that hangs is answered after it`() throws {
        let server = try TestServer { $0.requestDeadline = .milliseconds(40) }
        let client = try server.client()
        client.send(bytes(.hang, 1) + bytes(.echo, 2, [2]) + bytes(.echo, 3, [3]))
        #expect(try client.receive() == .refused(.timedOut, id: 1))
        #expect(try client.receive() == .answered(.echo, [2], id: 2))
        #expect(try client.receive() == .answered(.echo, [3], id: 3))
        server.handler.gate.open()
    }

    @Test func `A client that goes while its request hangs is forgotten when the time is over`() throws {
        let server = try TestServer { $0.requestDeadline = .milliseconds(40) }
        do {
            let client = try server.client()
            client.send(bytes(.hang))
            server.handler.gate.waitForArrival()
            client.socket.shutDown()
        }
        #expect(eventually { server.counts.connections == 0 })
        #expect(server.counts.timedOut == 1)
        server.handler.gate.open()
    }
}
