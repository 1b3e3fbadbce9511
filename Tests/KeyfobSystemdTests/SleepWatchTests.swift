// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

@testable import KeyfobSystemd

/// The watch on a bus of the test's own, beside a logind that does what the test says.
@Suite struct SleepWatchTests {
    private static let words = "inhibit sleep delay Keyfob"

    /// A watch that counts what it did before sleeps.
    private func watch(
        _ address: String, _ count: Shared<Int> = Shared(0), gate: Gate? = nil
    ) throws -> SleepWatch {
        try SleepWatch(why: "tests", address: address) {
            gate?.pass()
            count.change { $0 += 1 }
        }
    }

    private func becomes(_ phase: SleepWatch.Phase, _ watch: SleepWatch) -> Bool {
        DaemonLab.waits { watch.phase == phase }
    }

    @Test func `The machine sleeps once what is to be done is done, and not before`() throws {
        let bus = try TestBus()
        let (count, gate) = (Shared(0), Gate())
        let watch = try watch(bus.address, count, gate: gate)
        defer { watch.stop() }
        #expect(bus.delayer().words == Self.words)
        #expect(becomes(.watching, watch))
        bus.begin("sleep")
        gate.waitForArrival()
        #expect(count.now == 0)
        gate.open()
        #expect(bus.answer() == "asleep")
        #expect(count.now == 1)
    }

    @Test func `While something is done the delay is held`() throws {
        let bus = try TestBus()
        let gate = Gate()
        let watch = try watch(bus.address, gate: gate)
        defer { watch.stop() }
        _ = bus.delayer()
        #expect(bus.ask("count") == "held 1")
        bus.begin("sleep")
        gate.waitForArrival()
        // What logind would say too early is this answer.
        gate.open()
        #expect(bus.answer() == "asleep")
        #expect(bus.ask("count") == "held 0")
    }

    @Test func `After a sleep the next one is delayed as well`() throws {
        let bus = try TestBus()
        let count = Shared(0)
        let watch = try watch(bus.address, count)
        defer { watch.stop() }
        for number in 1...3 {
            #expect(bus.delayer().words == Self.words)
            #expect(bus.ask("sleep") == "asleep")
            #expect(count.now == number)
            #expect(bus.ask("wake") == "awake")
        }
    }

    @Test func `A sleep that somebody else on the bus tells of is none`() throws {
        let bus = try TestBus()
        let count = Shared(0)
        let watch = try watch(bus.address, count)
        defer { watch.stop() }
        #expect(bus.ask("forge \(bus.delayer().sender)") == "forged")
        // The bus keeps the order, so the forged one has been read when the true one is.
        #expect(bus.ask("sleep") == "asleep")
        #expect(count.now == 1)
    }

    @Test func `Where there is no bus it does without`() throws {
        let watch = try watch(TestBus.nowhere)
        #expect(becomes(.unavailable, watch))
        watch.stop()
    }

    @Test func `On a bus without logind it does without until one comes`() throws {
        let bus = try TestBus(withLogind: false)
        let count = Shared(0)
        let watch = try watch(bus.address, count)
        defer { watch.stop() }
        #expect(becomes(.unavailable, watch))
        try bus.startLogind()
        #expect(bus.delayer().words == Self.words)
        #expect(becomes(.watching, watch))
        #expect(bus.ask("sleep") == "asleep")
        #expect(count.now == 1)
    }

    @Test func `Another logind after the first is asked again`() throws {
        let bus = try TestBus()
        let count = Shared(0)
        let watch = try watch(bus.address, count)
        defer { watch.stop() }
        _ = bus.delayer()
        #expect(becomes(.watching, watch))
        bus.endLogind()
        #expect(becomes(.unavailable, watch))
        try bus.startLogind()
        #expect(bus.delayer().words == Self.words)
        #expect(bus.ask("sleep") == "asleep")
        #expect(count.now == 1)
    }

    @Test func `A bus that goes away leaves it without, and it still ends`() throws {
        let bus = try TestBus()
        let watch = try watch(bus.address)
        _ = bus.delayer()
        #expect(becomes(.watching, watch))
        bus.end()
        #expect(becomes(.unavailable, watch))
        watch.stop()
    }

    @Test func `When it has ended nothing is delayed and nothing is done any more`() throws {
        let bus = try TestBus()
        let count = Shared(0)
        let watch = try watch(bus.address, count)
        _ = bus.delayer()
        #expect(becomes(.watching, watch))
        watch.stop()
        #expect(bus.ask("count") == "held 0")
        #expect(bus.ask("sleep") == "asleep")
        #expect(count.now == 0)
    }

    @Test func `Tries get rarer up to one a minute`() {
        var pause = RetryPause()
        #expect((0..<8).map { _ in pause.next().components.seconds } == [1, 2, 4, 8, 16, 32, 60, 60])
    }
}
