// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobPKCS11

/// Random events against the pool's state, played by a small world of threads and sessions.
@Suite struct SessionPoolPropertyTests {
    private struct World {
        var state: SessionPoolState
        var random: SystemRandom
        var leased: [SessionPoolState.RequesterID: SessionPoolState.SessionID] = [:]
        var opening: [SessionPoolState.RequesterID] = []
        var waiting: Set<SessionPoolState.RequesterID> = []
        var closing = false
        var open: Set<SessionPoolState.SessionID> = []
        var now: UInt64 = 0
        var next = 0
        var faults: [String] = []
    }

    /// xorshift: the same numbers for the same seed.
    private struct SystemRandom: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `No event order lends a session twice, works two at the door, or forgets who waits`(_ seed: UInt64) {
        let limit = Int(seed % 4) + 1
        var world = World(
            state: SessionPoolState(limit: limit, patience: 20),
            random: SystemRandom(state: seed &* 0x9E37_79B9_7F4A_7C15))
        for _ in 0..<400 { step(&world) }
        drain(&world)
        #expect(world.faults == [], "seed \(seed)")
        #expect(world.waiting.isEmpty, "seed \(seed)")
        #expect(world.state.waitingCount == 0, "seed \(seed)")
        #expect(world.state.quarantinedCount == 0, "seed \(seed)")
    }

    private func step(_ world: inout World) {
        world.now += UInt64.random(in: 0...5, using: &world.random)
        switch Int.random(in: 0..<10, using: &world.random) {
        case 0...3: request(&world)
        case 4...6: giveBack(&world, spoiled: Int.random(in: 0..<4, using: &world.random) == 0)
        case 7: finishOpening(&world, succeeds: Int.random(in: 0..<5, using: &world.random) > 0)
        case 8: finishClosing(&world)
        default:
            if let requester = world.waiting.sorted().first {
                if world.state.giveUp(requester) { world.waiting.remove(requester) }
            } else {
                apply(world.state.drop(now: world.now), &world)
            }
        }
        if world.state.count > world.state.limit { world.faults.append("more sessions than allowed") }
        if world.opening.count + (world.closing ? 1 : 0) > 1 { world.faults.append("two at the door") }
    }

    /// Everything that runs ends, and everyone who waits is served.
    private func drain(_ world: inout World) {
        for _ in 0..<2000 where !(world.leased.isEmpty && world.opening.isEmpty && !world.closing) {
            finishOpening(&world, succeeds: true)
            finishClosing(&world)
            giveBack(&world, spoiled: false)
        }
    }

    private func request(_ world: inout World) {
        let requester = world.next
        world.next += 1
        answer(world.state.request(requester, now: world.now), requester, &world)
    }

    private func giveBack(_ world: inout World, spoiled: Bool) {
        guard let (requester, session) = world.leased.min(by: { $0.key < $1.key }) else { return }
        world.leased[requester] = nil
        apply(world.state.giveBack(session, spoiled: spoiled, now: world.now), &world)
    }

    private func finishOpening(_ world: inout World, succeeds: Bool) {
        guard let requester = world.opening.popLast() else { return }
        if succeeds {
            let (session, actions) = world.state.opened(now: world.now)
            world.open.insert(session)
            answer(.lease(session), requester, &world)
            apply(actions, &world)
        } else {
            let exhausted = Bool.random(using: &world.random)
            let (result, actions) = world.state.openFailed(requester, exhausted: exhausted, now: world.now)
            if let result { answer(result, requester, &world) }
            apply(actions, &world)
        }
    }

    private func finishClosing(_ world: inout World) {
        guard world.closing else { return }
        world.closing = false
        apply(world.state.closed(now: world.now), &world)
    }

    private func apply(_ actions: SessionPoolState.Actions, _ world: inout World) {
        if !actions.close.isEmpty {
            if world.closing { world.faults.append("closing twice at once") }
            world.closing = true
        }
        for session in actions.close {
            if world.leased.values.contains(session) { world.faults.append("closed a session on loan") }
            if world.open.remove(session) == nil { world.faults.append("closed a session that is not open") }
        }
        for (requester, result) in actions.resume {
            if world.waiting.remove(requester) == nil { world.faults.append("resumed one who did not wait") }
            answer(result, requester, &world)
        }
    }

    private func answer(
        _ answer: SessionPoolState.Answer, _ requester: SessionPoolState.RequesterID, _ world: inout World
    ) {
        switch answer {
        case .wait: world.waiting.insert(requester)
        case .open: world.opening.append(requester)
        case .lease(let session):
            if world.leased.values.contains(session) { world.faults.append("leased twice") }
            if !world.open.contains(session) { world.faults.append("leased a closed session") }
            world.leased[requester] = session
        }
    }
}
