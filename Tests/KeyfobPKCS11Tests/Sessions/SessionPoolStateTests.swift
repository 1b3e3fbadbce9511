// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobPKCS11

@Suite struct SessionPoolStateTests {
    /// A pool with one session, leased to requester 0.
    private static func leased(limit: Int) -> (SessionPoolState, SessionPoolState.SessionID) {
        var state = SessionPoolState(limit: limit, patience: 100)
        _ = state.request(0, now: 0)
        let session = state.opened(now: 0).0
        return (state, session)
    }

    @Test func `The first to ask opens a session and gets it`() {
        var state = SessionPoolState(limit: 2, patience: 100)
        #expect(state.request(0, now: 0) == .open)
        let (session, actions) = state.opened(now: 0)
        #expect(session == 0)
        #expect(actions == .init())
        #expect(state.count == 1)
    }

    @Test func `A session that came back is lent again`() {
        var (state, session) = Self.leased(limit: 2)
        #expect(state.giveBack(session, spoiled: false, now: 1) == .init())
        #expect(state.request(1, now: 2) == .lease(session))
    }

    @Test func `The last session that came back is the first to be lent`() {
        var (state, first) = Self.leased(limit: 2)
        _ = state.request(1, now: 0)
        let second = state.opened(now: 0).0
        _ = state.giveBack(first, spoiled: false, now: 1)
        _ = state.giveBack(second, spoiled: false, now: 1)
        #expect(state.request(2, now: 2) == .lease(second))
    }

    @Test func `While one session is being opened the next requester waits, then opens`() {
        var state = SessionPoolState(limit: 2, patience: 100)
        _ = state.request(0, now: 0)
        #expect(state.request(1, now: 0) == .wait)
        let (_, actions) = state.opened(now: 1)
        #expect(actions.resume == [1: .open])
    }

    @Test func `At the limit requesters wait, and the first is served first`() {
        var (state, session) = Self.leased(limit: 1)
        #expect(state.request(1, now: 1) == .wait)
        #expect(state.request(2, now: 1) == .wait)
        #expect(state.giveBack(session, spoiled: false, now: 2).resume == [1: .lease(session)])
        #expect(state.giveBack(session, spoiled: false, now: 3).resume == [2: .lease(session)])
        #expect(state.waitingCount == 0)
    }

    @Test func `Nobody overtakes those who wait`() {
        var (state, _) = Self.leased(limit: 1)
        _ = state.request(1, now: 1)
        #expect(state.request(2, now: 1) == .wait)
        let gaveUp = state.giveUp(1)
        #expect(gaveUp)
        #expect(state.waitingCount == 1)
    }

    @Test func `One who gave up is not served`() {
        var (state, session) = Self.leased(limit: 1)
        _ = state.request(1, now: 1)
        let gaveUp = state.giveUp(1)
        #expect(gaveUp)
        #expect(state.giveBack(session, spoiled: false, now: 2) == .init())
    }

    @Test func `Giving up after having been served fails`() {
        var (state, session) = Self.leased(limit: 1)
        _ = state.request(1, now: 1)
        _ = state.giveBack(session, spoiled: false, now: 2)
        let gaveUp = state.giveUp(1)
        #expect(!gaveUp)
    }

    @Test func `A spoiled session is closed, and the one who waits opens another afterwards`() {
        var (state, session) = Self.leased(limit: 1)
        _ = state.request(1, now: 1)
        let actions = state.giveBack(session, spoiled: true, now: 2)
        #expect(actions.close == [session])
        #expect(actions.resume.isEmpty)
        #expect(state.closed(now: 3).resume == [1: .open])
    }

    @Test func `Nothing is closed while a session is being opened`() {
        var (state, first) = Self.leased(limit: 2)
        _ = state.request(1, now: 1)
        #expect(state.giveBack(first, spoiled: true, now: 2) == .init())
        #expect(state.opened(now: 3).1.close == [first])
    }

    @Test func `Nothing is opened while a session is being closed`() {
        var (state, session) = Self.leased(limit: 2)
        _ = state.giveBack(session, spoiled: true, now: 2)
        #expect(state.request(1, now: 2) == .wait)
        #expect(state.closed(now: 3).resume == [1: .open])
    }

    @Test func `When opening fails the opener is told and the next one tries`() {
        var state = SessionPoolState(limit: 2, patience: 100)
        _ = state.request(0, now: 0)
        _ = state.request(1, now: 0)
        let (answer, actions) = state.openFailed(0, exhausted: false, now: 1)
        #expect(answer == nil)
        #expect(actions.resume == [1: .open])
        #expect(state.count == 0)
    }

    @Test func `A token without more sessions lowers the limit and makes the opener wait`() {
        var (state, session) = Self.leased(limit: 4)
        _ = state.request(1, now: 1)
        let (answer, actions) = state.openFailed(1, exhausted: true, now: 1)
        #expect(answer == .wait)
        #expect(actions == .init())
        #expect(state.limit == 1)
        #expect(state.giveBack(session, spoiled: false, now: 2).resume == [1: .lease(session)])
    }

    @Test func `A session that came back while opening failed goes to the opener`() {
        var (state, session) = Self.leased(limit: 4)
        _ = state.request(1, now: 1)
        _ = state.giveBack(session, spoiled: false, now: 1)
        let (answer, actions) = state.openFailed(1, exhausted: true, now: 1)
        #expect(answer == .lease(session))
        #expect(actions == .init())
    }

    @Test func `A token without a single session is an error`() {
        var state = SessionPoolState(limit: 4, patience: 100)
        _ = state.request(0, now: 0)
        #expect(state.openFailed(0, exhausted: true, now: 1).0 == nil)
    }

    @Test func `Dropping closes idle sessions now and leased ones when they come back`() {
        var (state, first) = Self.leased(limit: 2)
        _ = state.request(1, now: 0)
        let second = state.opened(now: 0).0
        _ = state.giveBack(first, spoiled: false, now: 1)
        #expect(state.drop(now: 2).close == [first])
        _ = state.closed(now: 3)
        #expect(state.giveBack(second, spoiled: false, now: 4).close == [second])
        #expect(state.count == 0)
    }

    @Test func `A drop lifts a limit that the token had lowered`() {
        var (state, session) = Self.leased(limit: 4)
        _ = state.request(1, now: 1)
        _ = state.openFailed(1, exhausted: true, now: 1)
        _ = state.giveUp(1)
        _ = state.drop(now: 2)
        #expect(state.limit == 4)
        _ = state.giveBack(session, spoiled: false, now: 3)
    }

    @Test func `A session opened after a drop stays`() {
        var (state, first) = Self.leased(limit: 2)
        _ = state.drop(now: 1)
        _ = state.request(1, now: 2)
        let second = state.opened(now: 2).0
        _ = state.giveBack(second, spoiled: false, now: 3)
        #expect(state.request(2, now: 4) == .lease(second))
        #expect(state.giveBack(first, spoiled: false, now: 5).close == [first])
    }

    @Test func `A lease that lasts too long gives its place to one who waits`() {
        var (state, session) = Self.leased(limit: 1)
        #expect(state.request(1, now: 101) == .open)
        #expect(state.quarantinedCount == 1)
        _ = state.opened(now: 102)
        #expect(state.count == 1)
        #expect(state.giveBack(session, spoiled: false, now: 200).close == [session])
        #expect(state.quarantinedCount == 0)
    }

    @Test func `A lease within patience keeps its place`() {
        var (state, _) = Self.leased(limit: 1)
        #expect(state.request(1, now: 100) == .wait)
        #expect(state.quarantinedCount == 0)
    }

    @Test func `A lease that lasts long costs nothing while nobody waits`() {
        var (state, session) = Self.leased(limit: 2)
        #expect(state.request(1, now: 1000) == .open)
        #expect(state.quarantinedCount == 0)
        _ = state.opened(now: 1000)
        _ = state.giveBack(session, spoiled: false, now: 2000)
        #expect(state.request(2, now: 2000) == .lease(session))
    }

    @Test func `A pool has room for one session at least`() {
        var state = SessionPoolState(limit: 0, patience: 1)
        #expect(state.request(0, now: 0) == .open)
    }
}
