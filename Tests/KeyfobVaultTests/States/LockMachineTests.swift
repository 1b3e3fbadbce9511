// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// The state machine of a keychain, event by event; no token.
@Suite(.lendsTokens) struct LockMachineTests {
    private typealias Event = LockMachine.Event
    private typealias Action = LockMachine.Action

    private func machine(_ events: Event...) -> LockMachine {
        var machine = LockMachine()
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private func outcome(_ events: [Event]) -> (state: LockState, actions: [Action]) {
        var machine = LockMachine()
        var actions: [Action] = []
        for event in events { actions = machine.handle(event) }
        return (machine.state, actions)
    }

    @Test func `A keychain begins before its first unlock`() {
        #expect(machine().state == .beforeFirstUnlock)
        #expect(machine().epoch == 0)
    }

    @Test func `The first login makes what has to outlive a logout`() {
        let (state, actions) = outcome([.loggedIn])
        #expect(state == .unlocked)
        #expect(actions == [.prepare])
        #expect(!machine(.loggedIn).isPrepared)
        #expect(machine(.loggedIn, .prepared).isPrepared)
    }

    @Test func `A later login has nothing to make`() {
        let (state, actions) = outcome([.loggedIn, .prepared, .lock, .loggedIn])
        #expect(state == .unlocked)
        #expect(actions == [])
    }

    @Test func `A login that cannot make what has to outlive it is taken back`() {
        let (state, actions) = outcome([.loggedIn, .preparationFailed])
        #expect(state == .beforeFirstUnlock)
        #expect(actions == [.takeKeysAway, .logOut])
        #expect(outcome([.loggedInBriefly, .lock, .preparationFailed]).state == .unlocked)
    }

    @Test func `A brief login leaves the making to the lock`() {
        #expect(outcome([.loggedInBriefly]).actions == [])
        let lock = outcome([.loggedInBriefly, .lock])
        #expect(lock.state == .unlocked)
        #expect(lock.actions == [.prepare])
        let done = outcome([.loggedInBriefly, .lock, .prepared])
        #expect(done.state == .locked)
        #expect(done.actions == [.takeKeysAway, .logOut, .prove])
    }

    @Test func `A lock destroys before it logs out, and proves afterwards`() {
        let (state, actions) = outcome([.loggedIn, .prepared, .lock])
        #expect(state == .locked)
        #expect(actions == [.takeKeysAway, .logOut, .prove])
    }

    @Test(arguments: [[], [LockMachine.Event.loggedIn, .prepared, .lock], [.loggedIn, .prepared, .tokenLost]])
    func `A lock changes nothing where nobody is logged in`(events: [LockMachine.Event]) {
        let before = outcome(events).state
        let (state, actions) = outcome(events + [.lock])
        #expect(state == before)
        #expect(actions == [])
    }

    @Test func `A login that is lost leaves what was made to outlive it`() {
        #expect(outcome([.loggedIn, .prepared, .loginLost]).state == .locked)
        #expect(outcome([.loggedInBriefly, .loginLost]).state == .beforeFirstUnlock)
        #expect(outcome([.loggedIn, .prepared, .loginLost]).actions == [.takeKeysAway])
    }

    @Test(arguments: [
        [], [LockMachine.Event.loggedIn], [.loggedIn, .prepared], [.loggedInBriefly], [.loggedIn, .prepared, .lock],
    ])
    func `A token that goes takes everything with it, whatever the state`(events: [LockMachine.Event]) {
        let lost = outcome(events + [.tokenLost])
        #expect(lost.state == .noToken)
        #expect(lost.actions == [.forgetKeys])
        let found = outcome(events + [.tokenLost, .tokenFound])
        #expect(found.state == .beforeFirstUnlock)
        #expect(outcome(events + [.tokenLost, .tokenFound, .loggedIn]).actions == [.prepare])
    }

    @Test(arguments: LockMachine.Event.allCases.filter { $0 != .tokenFound })
    func `Without a token nothing but its return changes anything`(event: LockMachine.Event) {
        let (state, actions) = outcome([.tokenLost, event])
        #expect(state == .noToken)
        #expect(actions == [])
    }

    @Test func `The end logs out, and makes and proves nothing`() {
        let (state, actions) = outcome([.loggedInBriefly, .end])
        #expect(state == .beforeFirstUnlock)
        #expect(actions == [.takeKeysAway, .logOut])
        #expect(outcome([.end]).actions == [])
    }

    @Test func `Every change of state is another epoch, and nothing else is`() {
        #expect(machine(.loggedIn).epoch == 1)
        #expect(machine(.loggedIn, .prepared).epoch == 1)
        #expect(machine(.loggedIn, .prepared, .lock).epoch == 2)
        #expect(machine(.loggedIn, .prepared, .lock, .lock).epoch == 2)
        #expect(machine(.tokenLost, .tokenFound).epoch == 2)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `Whatever happens, keys that a state forbids are taken away on the way into it`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = LockMachine()
        for step in 0..<500 {
            let event = Event.allCases.randomElement(using: &random) ?? .lock
            let before = machine
            let actions = machine.handle(event)
            let comment = Comment("seed \(seed), step \(step), \(event)")
            #expect((before.state == machine.state) == (before.epoch == machine.epoch), comment)
            for availability in [Accessibility.Availability.always, .afterFirstUnlock, .whileUnlocked]
            where before.state.allows(availability) && !machine.state.allows(availability) {
                #expect(actions.first == .takeKeysAway || actions == [.forgetKeys], comment)
            }
            if machine.state == .locked { #expect(machine.isPrepared, comment) }
            if machine.state == .beforeFirstUnlock || machine.state == .noToken {
                #expect(!machine.isPrepared, comment)
            }
            if actions.contains(.prove) { #expect(actions.contains(.logOut), comment) }
        }
    }
}

@Suite(.lendsTokens) struct SearchPlanTests {
    @Test func `A token that is gone is looked for at once, then ever more seldom`() {
        var plan = SearchPlan()
        plan.begin()
        var now: UInt64 = 1_000_000_000_000
        var pauses: [UInt64] = []
        for _ in 0..<8 {
            let start = now
            while !plan.claim(now) { now += 50_000_000 }
            pauses.append((now - start) / 1_000_000)
        }
        #expect(pauses == [0, 250, 500, 1000, 2000, 4000, 5000, 5000])
    }

    @Test func `One thread looks at a time`() {
        var plan = SearchPlan()
        let claims = [plan.claim(10), plan.claim(10), plan.claim(10 + SearchPlan.firstPause)]
        #expect(claims == [true, false, true])
    }

    @Test func `When it goes again it is looked for at once again`() {
        var plan = SearchPlan()
        for now in [0, 1_000_000_000, 3_000_000_000] as [UInt64] { _ = plan.claim(now) }
        plan.begin()
        let claimed = plan.claim(3_000_000_001)
        #expect(claimed)
    }
}
