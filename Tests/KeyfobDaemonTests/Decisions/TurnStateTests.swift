// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import Testing

@testable import KeyfobDaemon

struct TurnStateTests {
    private static let due = Moment(nanoseconds: 100)
    private static let before = Moment(nanoseconds: 99)

    private var turn = TurnState<Int>()

    @Test mutating func `An answer in time is the worker's`() {
        turn.begin(1, deadline: Self.due)
        #expect(turn.take(Self.before) == nil)
        #expect(turn.finish() == true)
        #expect(turn.deadline == nil)
    }

    @Test mutating func `After the deadline the monitor takes the request, once`() {
        turn.begin(1, deadline: Self.due)
        #expect(turn.take(Self.due) == 1)
        #expect(turn.take(Self.due) == nil)
        #expect(turn.finish() == false)
    }

    @Test mutating func `What the worker has answered the monitor cannot take`() {
        turn.begin(1, deadline: Self.due)
        #expect(turn.finish() == true)
        #expect(turn.take(nil) == nil)
    }

    @Test mutating func `A worker whose request was taken says nothing more`() {
        turn.begin(1, deadline: Self.due)
        #expect(turn.take(Self.due) == 1)
        #expect(turn.speak() == false)
        turn.spoken(deadline: Moment(nanoseconds: 500))
        #expect(turn.finish() == false)
    }

    @Test mutating func `While the worker speaks the request stays its own`() {
        turn.begin(1, deadline: Self.due)
        #expect(turn.speak() == true)
        #expect(turn.take(nil) == nil)
        turn.spoken(deadline: Moment(nanoseconds: 500))
        #expect(turn.deadline == Moment(nanoseconds: 500))
        #expect(turn.take(Moment(nanoseconds: 499)) == nil)
        #expect(turn.take(Moment(nanoseconds: 500)) == 1)
    }

    @Test mutating func `When the server ends a request is taken before its deadline`() {
        turn.begin(1, deadline: Self.due)
        #expect(turn.take(nil) == 1)
    }

    @Test mutating func `After a lost request the next is the worker's own`() {
        turn.begin(1, deadline: Self.due)
        _ = turn.take(Self.due)
        _ = turn.finish()
        turn.begin(2, deadline: Self.due)
        #expect(turn.deadline == Self.due)
        #expect(turn.finish() == true)
    }

    @Test mutating func `Without a request there is nothing to take`() {
        #expect(turn.take(nil) == nil)
        #expect(turn.deadline == nil)
        #expect(turn.speak() == false)
    }
}
