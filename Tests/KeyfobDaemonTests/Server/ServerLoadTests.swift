// SPDX-License-Identifier: Apache-2.0
import Glibc
import KeyfobDaemon
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire
import Testing

/// Many clients at once, and bad ones among them.
@Suite(.serialized)
struct ServerLoadTests {
    /// Asks `rounds` times and gives each answer's time, in nanoseconds; nil if one was wrong.
    private static func talk(_ server: TestServer, _ rounds: Int) -> Background<[UInt64]?> {
        Background {
            let client = try server.client()
            var times: [UInt64] = []
            for id in 1...UInt32(rounds) {
                let before = Moment.now
                guard try client.ask(.echo, [1, 2, 3], id: id) == .answered(.echo, [1, 2, 3], id: id) else {
                    return nil
                }
                times.append(Moment.now.nanoseconds - before.nanoseconds)
            }
            return times
        }
    }

    @Test func `A thousand idle connections and 64 busy ones are all served`() throws {
        _ = DescriptorLimit.raise(to: 8192)
        let server = try TestServer()
        let idle = try (0..<1000).map { _ in try server.client() }
        let busy = (0..<64).map { _ in Self.talk(server, 50) }
        for client in busy { #expect(try client.value()?.count == 50) }
        for client in idle { #expect(try client.ask(.echo, [9]) == .answered(.echo, [9])) }
        #expect(server.counts.requests == 64 * 50 + 1000)
        #expect(server.counts.connections >= 1000)
    }

    @Test func `No client of 64 waits much longer than the others`() throws {
        let server = try TestServer()
        let clients = (0..<64).map { _ in Self.talk(server, 100) }
        var times: [UInt64] = []
        for client in clients { times += try client.value() ?? [] }
        #expect(times.count == 6400)
        times.sort()
        let (median, tail) = (times[times.count / 2], times[times.count * 99 / 100])
        // Of threads that share two processors some are stopped for a while, whatever the server does.
        #expect(tail < max(30 * median, 500_000_000), "p50 \(median) ns, p99 \(tail) ns")
    }

    @Test func `Clients that flood, dawdle or talk nonsense keep no other from its answer`() throws {
        let server = try TestServer { $0.transferDeadline = .milliseconds(300) }
        let isOver = Shared(false)
        let flood = (0..<4).map { _ in
            Background {
                while !isOver.now {
                    let client = try server.client()
                    while !isOver.now, client.send(bytes(.echo, 1, [UInt8](repeating: 1, count: 2000))) {}
                }
            }
        }
        let nonsense = (0..<4).map { number in
            Background {
                var random = SeededRandom(seed: UInt64(number))
                while !isOver.now {
                    let client = try server.client()
                    while client.send((0..<100).map { _ in UInt8.random(in: .min ... .max, using: &random) }) {}
                }
            }
        }
        let slow = try (0..<50).map { number in
            let client = try server.client()
            client.send(Array(bytes(.echo, 1, [1, 2, 3]).prefix(number % 14 + 1)))
            return client
        }
        let good = (0..<8).map { _ in Self.talk(server, 100) }
        for client in good {
            let times = try client.value()
            #expect(times?.count == 100)
            #expect((times?.max() ?? .max) < 30_000_000_000)
        }
        isOver.change { $0 = true }
        for client in flood + nonsense { try client.value() }
        for client in slow { #expect(try client.receive() == .end) }
        #expect(eventually { server.counts.connections == 0 && server.counts.bytesInFlight == 0 })
        #expect(server.counts.slow >= 50)
    }

    @Test func `One client that sends many requests together does not hold up one that sends few`() throws {
        let server = try TestServer { $0.workers = 2 }
        let eager = try server.client()
        let many = (1...3000 as ClosedRange<UInt32>).flatMap { bytes(.echo, $0, [UInt8](repeating: 5, count: 40)) }
        let sending = Background { eager.send(many) }
        let reading = Background {
            for id in 1...3000 as ClosedRange<UInt32> {
                guard try eager.receive() == .answered(.echo, [UInt8](repeating: 5, count: 40), id: id) else {
                    return id
                }
            }
            return 0
        }
        #expect(try Self.talk(server, 100).value()?.count == 100)
        #expect(try sending.value())
        #expect(try reading.value() == 0)
    }
}
