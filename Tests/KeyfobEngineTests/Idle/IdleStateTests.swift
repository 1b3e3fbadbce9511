// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import KeyfobTestSupport
import Testing

@testable import KeyfobEngine

struct IdleStateTests {
    private static let limit = Duration.seconds(80)
    private static let pause = Duration.seconds(10)
    private var state = IdleState(limit: Self.limit)

    private func at(_ second: UInt64) -> Moment { Moment(nanoseconds: second * 1_000_000_000) }

    @Test mutating func `A keychain that is not unlocked is never locked`() {
        for second in stride(from: UInt64(0), to: 1000, by: 50) {
            #expect(state.looked(isUnlocked: false, wasUsed: true, now: at(second)) == .wait(Self.pause))
        }
    }

    @Test mutating func `Without use it is locked when the limit has passed, and no nanosecond earlier`() {
        #expect(state.looked(isUnlocked: true, wasUsed: true, now: at(100)) == .wait(Self.pause))
        let early = Moment(nanoseconds: at(180).nanoseconds - 1)
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: early) == .wait(.nanoseconds(1)))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(180)) == .lock(Self.pause))
    }

    @Test mutating func `The limit counts from when the keychain was first seen unlocked`() {
        #expect(state.looked(isUnlocked: false, wasUsed: false, now: at(0)) == .wait(Self.pause))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(500)) == .wait(Self.pause))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(579)) == .wait(.seconds(1)))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(580)) == .lock(Self.pause))
    }

    @Test mutating func `A use starts the time anew, even if it is found when the limit has passed`() {
        _ = state.looked(isUnlocked: true, wasUsed: true, now: at(0))
        #expect(state.looked(isUnlocked: true, wasUsed: true, now: at(80)) == .wait(Self.pause))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(159)) == .wait(.seconds(1)))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(160)) == .lock(Self.pause))
    }

    @Test mutating func `A lock and another unlock start the time anew`() {
        _ = state.looked(isUnlocked: true, wasUsed: true, now: at(0))
        _ = state.looked(isUnlocked: false, wasUsed: false, now: at(70))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(80)) == .wait(Self.pause))
    }

    @Test mutating func `A lock that failed is tried again after a pause, not at once`() {
        _ = state.looked(isUnlocked: true, wasUsed: true, now: at(0))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(80)) == .lock(Self.pause))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(90)) == .lock(Self.pause))
    }

    @Test mutating func `A machine that slept through the limit finds its keychain due`() {
        _ = state.looked(isUnlocked: true, wasUsed: true, now: at(0))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(100_000)) == .lock(Self.pause))
    }

    @Test(arguments: [(1, 125), (8, 1000), (900, 60_000), (86400, 60_000)])
    func `It is looked at eight times within the limit, and once a minute at least`(limit: Int, pause: Int) {
        var state = IdleState(limit: .seconds(limit))
        #expect(state.looked(isUnlocked: true, wasUsed: false, now: at(0)) == .wait(.milliseconds(pause)))
    }

    @Test func `Whatever happens, it is locked after the limit and before the limit and a pause`() {
        var random = SeededRandom.fresh()
        for _ in 0..<200 {
            var state = IdleState(limit: Self.limit)
            var now: UInt64 = 0
            // When a use was left that is not yet found, and the last use of all.
            var lastUse: UInt64 = 0
            var isMarked = true
            for _ in 0..<200 {
                let action = state.looked(isUnlocked: true, wasUsed: isMarked, now: Moment(nanoseconds: now))
                isMarked = false
                switch action {
                case .lock:
                    #expect(now - lastUse >= 80_000_000_000, "seed \(random.seed)")
                    #expect(now - lastUse <= 90_000_000_000, "seed \(random.seed)")
                    lastUse = now
                    isMarked = true
                case .wait(let pause):
                    let next = now + pause.wholeNanoseconds
                    if Int.random(in: 0..<12, using: &random) == 0 {
                        lastUse = UInt64.random(in: now...next, using: &random)
                        isMarked = true
                    }
                    now = next
                }
            }
        }
    }
}
