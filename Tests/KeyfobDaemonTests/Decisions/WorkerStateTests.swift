// SPDX-License-Identifier: Apache-2.0
import KeyfobPlatform
import KeyfobTestSupport
import Testing

@testable import KeyfobDaemon

struct WorkerStateTests {
    private static let later = Moment(nanoseconds: 1000)

    private var state = WorkerState<Int>(workers: 3, queueLimit: 2, writtenOffLimit: 2)

    /// As many requests run as there are workers that need not read.
    private mutating func fill() {
        #expect(state.arrived() == .run)
        #expect(state.arrived() == .run)
    }

    @Test mutating func `One worker always reads`() {
        fill()
        #expect(state.arrived() == .wait)
        #expect(state.running == 2)
    }

    @Test func `There are never fewer than two workers`() {
        #expect(WorkerState<Int>(workers: 0, queueLimit: 1, writtenOffLimit: 1).live == 2)
    }

    @Test mutating func `A full queue is busy`() {
        fill()
        for job in 1...2 { #expect(state.enqueue(job, deadline: Self.later) == .wait) }
        #expect(state.arrived() == .busy)
        #expect(state.enqueue(3, deadline: Self.later) == .busy)
        #expect(state.queued == 2)
    }

    @Test mutating func `A request that was about to wait runs if a worker has become free`() {
        fill()
        #expect(state.arrived() == .wait)
        #expect(state.finished(mayStay: false) == .read)
        #expect(state.enqueue(1, deadline: Self.later) == .run)
        #expect(state.queued == 0)
    }

    @Test mutating func `Who finishes takes what has waited longest`() {
        fill()
        for job in 1...2 { _ = state.enqueue(job, deadline: Self.later) }
        #expect(state.finished(mayStay: true) == .run(1))
        #expect(state.finished(mayStay: true) == .run(2))
        #expect(state.finished(mayStay: false) == .read)
        #expect(state.running == 1)
    }

    @Test mutating func `One worker stays with its client, and only one`() {
        fill()
        #expect(state.finished(mayStay: true) == .stay)
        #expect(state.isStaying)
        #expect(state.finished(mayStay: true) == .read)
        state.stayed()
        #expect(state.arrived() == .run)
        #expect(state.finished(mayStay: true) == .stay)
    }

    @Test func `No worker stays with its client while nobody else reads`() {
        var pair = WorkerState<Int>(workers: 2, queueLimit: 1, writtenOffLimit: 1)
        #expect(pair.arrived() == .run)
        pair.failedToStart()
        #expect(pair.finished(mayStay: true) == .read)
        pair.startsMissing()
        #expect(pair.arrived() == .run)
        #expect(pair.finished(mayStay: true) == .stay)
    }

    @Test mutating func `No worker stays with its client when the server stops`() {
        fill()
        state.stop()
        #expect(state.finished(mayStay: true) == .read)
    }

    @Test mutating func `What has waited too long leaves the queue in order`() {
        fill()
        _ = state.enqueue(1, deadline: Moment(nanoseconds: 10))
        _ = state.enqueue(2, deadline: Moment(nanoseconds: 20))
        #expect(state.nextDeadline == Moment(nanoseconds: 10))
        #expect(state.expired(Moment(nanoseconds: 9)) == [])
        #expect(state.expired(Moment(nanoseconds: 10)) == [1])
        #expect(state.expired(nil) == [2])
        #expect(state.nextDeadline == nil)
    }

    @Test mutating func `A thread that is written off is replaced, and ends when it comes back`() {
        fill()
        #expect(state.overdue() == true)
        #expect((state.live, state.running, state.writtenOff) == (3, 1, 1))
        #expect(state.returned() == false)
        #expect((state.live, state.writtenOff) == (3, 0))
    }

    @Test mutating func `The last that may be written off is not replaced, and then nothing is taken`() {
        fill()
        #expect(state.overdue() == true)
        #expect(state.overdue() == false)
        #expect((state.live, state.running, state.writtenOff) == (2, 0, 2))
        #expect(state.arrived() == .unavailable)
        #expect(state.missing == 0)
    }

    @Test mutating func `What waits is abandoned only when nobody will run it`() {
        fill()
        _ = state.enqueue(1, deadline: Self.later)
        #expect(state.abandoned() == [])
        _ = state.overdue()
        #expect(state.abandoned() == [])
        _ = state.overdue()
        #expect(state.abandoned() == [1])
    }

    @Test mutating func `When it stops what waits is abandoned with the last thread`() {
        fill()
        _ = state.enqueue(1, deadline: Self.later)
        state.stop()
        state.ended()
        _ = state.overdue()
        #expect(state.abandoned() == [])
        _ = state.overdue()
        #expect(state.abandoned() == [1])
    }

    @Test mutating func `A thread that comes back takes the place of one that is missing`() {
        fill()
        _ = state.overdue()
        _ = state.overdue()
        #expect(state.returned() == true)
        #expect((state.live, state.writtenOff) == (3, 1))
        #expect(state.arrived() == .run)
        #expect(state.returned() == false)
    }

    @Test mutating func `A new thread takes what waits`() {
        fill()
        _ = state.enqueue(7, deadline: Self.later)
        #expect(state.overdue() == true)
        #expect(state.next() == 7)
        #expect(state.next() == nil)
        #expect(state.running == 2)
    }

    @Test mutating func `A thread that could not be started is missing until it is`() {
        state.failedToStart()
        #expect(state.missing == 1)
        state.startsMissing()
        #expect(state.missing == 0)
    }

    @Test mutating func `When it stops nothing is taken, and what waits is done by whoever is left`() {
        fill()
        for job in 1...2 { _ = state.enqueue(job, deadline: Self.later) }
        state.stop()
        #expect(state.arrived() == .stopping)
        state.ended()
        #expect(state.finished(mayStay: true) == .run(1))
        #expect(state.finished(mayStay: true) == .run(2))
        #expect(state.finished(mayStay: false) == .read)
        state.ended()
        #expect(!state.isOver)
        #expect(state.finished(mayStay: false) == .read)
        state.ended()
        #expect(state.isOver)
    }

    @Test mutating func `When it stops a thread that is written off is not replaced and need not come back`() {
        fill()
        state.stop()
        #expect(state.overdue() == false)
        #expect(state.overdue() == false)
        state.ended()
        #expect(state.isOver)
        #expect(state.returned() == false)
    }

    @Test func `Requests that may wait for the token leave a third of the places to the others`() {
        var state = WorkerState<Int>(workers: 8, queueLimit: 8, writtenOffLimit: 2)
        for _ in 0..<5 { #expect(state.arrived(isSlow: true) == .run) }
        #expect(state.enqueue(1, deadline: Self.later, isSlow: true) == .wait)
        #expect(state.arrived() == .run)
        #expect(state.arrived() == .run)
        #expect(state.arrived() == .wait)
        #expect((state.running, state.slow) == (7, 5))
    }

    @Test func `A place that such a request leaves goes to the next one, and any other place does not`() {
        var state = WorkerState<Int>(workers: 4, queueLimit: 8, writtenOffLimit: 2)
        for _ in 0..<2 { #expect(state.arrived(isSlow: true) == .run) }
        #expect(state.enqueue(1, deadline: Self.later, isSlow: true) == .wait)
        #expect(state.arrived() == .run)
        #expect(state.finished(mayStay: false) == .read)
        #expect(state.finished(mayStay: false, wasSlow: true) == .run(1))
        #expect(state.slow == 2)
    }

    @Test func `A quick request overtakes those that wait for the token`() {
        var state = WorkerState<Int>(workers: 4, queueLimit: 8, writtenOffLimit: 2)
        for _ in 0..<2 { #expect(state.arrived(isSlow: true) == .run) }
        #expect(state.arrived() == .run)
        #expect(state.enqueue(1, deadline: Moment(nanoseconds: 10), isSlow: true) == .wait)
        #expect(state.enqueue(2, deadline: Moment(nanoseconds: 20)) == .wait)
        #expect(state.finished(mayStay: false) == .run(2))
    }

    @Test func `With as few places as two none is kept free`() {
        var state = WorkerState<Int>(workers: 3, queueLimit: 1, writtenOffLimit: 1)
        for _ in 0..<2 { #expect(state.arrived(isSlow: true) == .run) }
    }

    @Test func `One that hangs gives its place to the next`() {
        var state = WorkerState<Int>(workers: 4, queueLimit: 8, writtenOffLimit: 2)
        for _ in 0..<2 { #expect(state.arrived(isSlow: true) == .run) }
        #expect(state.enqueue(1, deadline: Self.later, isSlow: true) == .wait)
        #expect(state.overdue(wasSlow: true) == true)
        #expect(state.next() == 1)
        #expect(state.slow == 2)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Whatever happens, a place is free of the token's requests, and none of them is lost`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = WorkerState<Int>(workers: 5, queueLimit: 5, writtenOffLimit: 100)
        var slowJobs: Set<Int> = []
        var running: [Int] = []
        var (arrived, refused, done) = (0, 0, 0)
        for step in 0..<2000 {
            if Bool.random(using: &random) {
                arrived += 1
                let isSlow = Int.random(in: 0..<4, using: &random) > 0
                if isSlow { slowJobs.insert(step) }
                switch state.enqueue(step, deadline: Moment(nanoseconds: UInt64(step)), isSlow: isSlow) {
                case .run: running.append(step)
                case .wait: break
                case .busy, .unavailable, .stopping: refused += 1
                }
            } else if !running.isEmpty {
                done += 1
                let job = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                if Int.random(in: 0..<10, using: &random) == 0 {
                    if state.overdue(wasSlow: slowJobs.contains(job)), let next = state.next() { running.append(next) }
                } else if case .run(let next) = state.finished(mayStay: false, wasSlow: slowJobs.contains(job)) {
                    running.append(next)
                }
            }
            #expect(state.running == running.count, "seed \(seed), step \(step)")
            #expect(state.slow == running.count { slowJobs.contains($0) }, "seed \(seed), step \(step)")
            #expect(state.slow <= 3, "seed \(seed), step \(step)")
            #expect(arrived == refused + done + state.queued + running.count, "seed \(seed), step \(step)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Whatever happens, some thread reads and no request is lost`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = WorkerState<Int>(workers: 4, queueLimit: 5, writtenOffLimit: 3)
        var (arrived, refused, done, waiting) = (0, 0, 0, 0)
        for step in 0..<2000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                arrived += 1
                var admission = state.arrived()
                if admission == .wait { admission = state.enqueue(step, deadline: Self.later) }
                if admission != .run, admission != .wait { refused += 1 }
            case 2 where state.running > 0:
                done += 1
                if state.finished(mayStay: Bool.random(using: &random)) == .stay { state.stayed() }
            case 3 where state.running > 0:
                done += 1
                if state.overdue() { _ = state.next() }
                refused += state.abandoned().count
            case 4 where state.writtenOff > 0:
                if state.returned() { _ = state.next() }
            default: break
            }
            waiting = state.queued
            #expect(state.running < state.live, "seed \(seed), step \(step)")
            #expect(state.queued == 0 || state.running == state.live - 1, "seed \(seed), step \(step)")
            #expect(state.live <= 4 && state.writtenOff <= 3 + 4, "seed \(seed), step \(step)")
            #expect(arrived == refused + done + waiting + state.running, "seed \(seed), step \(step)")
        }
    }
}
