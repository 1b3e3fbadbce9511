// SPDX-License-Identifier: Apache-2.0
import KeyfobDaemon
import KeyfobTestSupport
import Testing

/// Requests that wait for the token, more of them than there are workers.
struct TokenFloodTests {
    @Test func `However many requests wait for the token, others are answered meanwhile`() throws {
        let server = try TestServer { $0.workers = 4 }
        let flood = try (0..<30).map { _ in try server.client() }
        for client in flood { #expect(client.send(bytes(.token, 1, [5]))) }
        server.handler.gate.waitForArrival()
        server.handler.gate.waitForArrival()
        #expect(eventually { server.counts.queued == 28 })
        #expect(server.counts.running == 2)
        for number in 0..<20 as Range<UInt8> {
            let client = try server.client()
            #expect(try client.ask(.echo, [number]) == .answered(.echo, [number]))
        }
        for _ in flood { server.handler.gate.open() }
        for client in flood { #expect(try client.receive() == .answered(.token, [5])) }
    }

    @Test func `Requests that the queue has no room for are refused, and others still wait there`() throws {
        let server = try TestServer {
            $0.workers = 4
            $0.queueLimit = 4
        }
        let waiting = try (0..<5).map { _ in try server.client() }
        for client in waiting { #expect(client.send(bytes(.token, 1, [5]))) }
        #expect(eventually { server.counts.queued == 3 })
        let refused = try server.client().ask(.token, [6])
        #expect(refused == .refused(.busy))
        #expect(try server.client().ask(.echo, [7]) == .answered(.echo, [7]))
        for _ in waiting { server.handler.gate.open() }
        for client in waiting { #expect(try client.receive() == .answered(.token, [5])) }
    }
}
