// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobEngine

/// By how many threads values are opened, decided without a token or a clock.
@Suite struct OpeningPaceTests {
    private static let millisecond: UInt64 = 1_000_000

    private var pace = OpeningPace()
    private var now: UInt64 = 0

    /// Opens `count` values of a token that takes `cost` for one, and `gain` times less by each width.
    private mutating func open(
        _ count: Int, limit: Int = 3, cost: UInt64 = 10 * millisecond, gain: (Int) -> Double = { Double($0) }
    ) -> [OpeningPace.Round] {
        var rounds: [OpeningPace.Round] = []
        var left = count
        while left > 0 {
            let round = pace.next(left, limit: limit, now: now)
            let time = UInt64(Double(cost) * Double(round.count) / gain(round.width))
            now += time
            pace.finished(width: round.width, asked: round.count, took: time, limit: limit, now: now)
            rounds.append(round)
            left -= round.count
        }
        #expect(left == 0)
        return rounds
    }

    @Test mutating func `It begins with one thread`() {
        #expect(open(1).map(\.width) == [1])
        #expect(pace.cost == 10 * Self.millisecond)
    }

    @Test mutating func `A fast token is never asked by more than one, and after the first few in one go`() {
        #expect(open(1000, cost: 6000) == [.init(width: 1, count: 4), .init(width: 1, count: 996)])
        #expect(open(1000, cost: 999_000).allSatisfy { $0.width == 1 })
    }

    @Test mutating func `A slow token that gains by it gets as many as may be`() {
        let widths = open(200).map(\.width)
        #expect(widths.first == 1)
        #expect(widths.contains(2))
        #expect(widths.last == 3)
        #expect(open(50).allSatisfy { $0.width == 3 })
    }

    @Test(arguments: [1.0, 0.7, 1.1])
    mutating func `One that gains nothing goes on with one thread after one try`(gain: Double) {
        let rounds = open(200) { $0 == 1 ? 1 : gain }
        #expect(rounds.count { $0.width > 1 } == 1)
        #expect(rounds.filter { $0.width > 1 }.map(\.count) == [8])
        #expect(open(100) { $0 == 1 ? 1 : gain }.allSatisfy { $0.width == 1 })
    }

    @Test mutating func `One that gains by two and not by more gets two`() {
        _ = open(200, limit: 8) { Double(min($0, 2)) }
        #expect(open(50, limit: 8) { Double(min($0, 2)) }.allSatisfy { $0.width == 2 })
    }

    @Test mutating func `What was found is tried again after a minute`() {
        _ = open(200) { _ in 1 }
        #expect(open(20) { _ in 1 }.allSatisfy { $0.width == 1 })
        now += OpeningPace.trust
        #expect(open(100).contains { $0.width == 2 })
        #expect(open(20).allSatisfy { $0.width == 3 })
    }

    @Test mutating func `Where one thread is all there may be, one it is`() {
        #expect(open(200, limit: 1).allSatisfy { $0.width == 1 })
    }

    @Test mutating func `Few values are worth no thread`() {
        _ = open(200)
        #expect(open(3) == [.init(width: 1, count: 3)])
        #expect(open(4) == [.init(width: 3, count: 4)])
    }

    @Test mutating func `No round of a slow token takes much longer than a second`() {
        let cost = 100 * Self.millisecond
        let rounds = open(300, cost: cost)
        #expect(rounds.allSatisfy { UInt64($0.count / $0.width) * cost <= OpeningPace.roundTime + cost })
    }

    @Test mutating func `Values that the token was not asked for say nothing about it`() {
        pace.finished(width: 1, asked: 0, took: 500 * Self.millisecond, limit: 3, now: 1)
        #expect(pace.cost == nil)
    }
}
