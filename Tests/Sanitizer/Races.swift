// SPDX-License-Identifier: Apache-2.0
// What the thread sanitizer has to report and what it must not, one way a run: scripts/sanitize runs each before the
// tests, because a sanitizer that reports nothing would pass them all.
import Glibc
import Synchronization

/// What the threads share.
final class Shared: @unchecked Sendable {
    let locked = Mutex(0)
    let counted = Atomic(0)
    let isPublished = Atomic(false)
    /// How many threads have begun.
    let present = Atomic(0)
    /// Guarded in some ways and not in others: what the sanitizer is asked about.
    var plain = 0
}

/// How the threads share: in the first four ways there is an order, in the others a race.
enum Way: String {
    case mutex, attempt, atomic, publication
    case bare, halfLocked, relaxed
}

let threads = 4
let rounds = 20_000

/// What one thread does.
func work(_ way: Way, _ number: Int, _ shared: Shared) {
    switch way {
    case .mutex: repeated { shared.locked.withLock { $0 = changed($0, shared) } }
    case .attempt:
        repeated { while shared.locked.withLockIfAvailable({ $0 = changed($0, shared) }) == nil {} }
    case .atomic: repeated { shared.counted.add(1, ordering: .relaxed) }
    case .publication:
        publish(number, shared) {
            $0.store(true, ordering: .releasing)
        } heard: {
            $0.load(ordering: .acquiring)
        }
    case .bare: repeated { shared.plain += 1 }
    case .halfLocked:
        repeated { if number == 0 { shared.plain += 1 } else { shared.locked.withLock { $0 = changed($0, shared) } } }
    case .relaxed:
        publish(number, shared) {
            $0.store(true, ordering: .relaxed)
        } heard: {
            $0.load(ordering: .relaxed)
        }
    }
}

/// Often enough that the threads meet.
func repeated(_ step: () -> Void) {
    for _ in 0..<rounds { step() }
}

/// One more of both counts.
func changed(_ count: Int, _ shared: Shared) -> Int {
    shared.plain += 1
    return count + 1
}

/// The first thread writes a value and says so; the others read it when they hear.
func publish(
    _ number: Int, _ shared: Shared, say: (borrowing Atomic<Bool>) -> Void,
    heard: (borrowing Atomic<Bool>) -> Bool
) {
    guard number > 0 else {
        shared.plain = 5
        return say(shared.isPublished)
    }
    while !heard(shared.isPublished) { sched_yield() }
    guard shared.plain == 5 else { fatalError("published and not there") }
}

/// What a thread begins with.
final class Work {
    let way: Way
    let number: Int
    let shared: Shared

    init(_ way: Way, _ number: Int, _ shared: Shared) {
        self.way = way
        self.number = number
        self.shared = shared
    }
}

/// A thread that does its work.
func begin(_ work: Work) -> pthread_t {
    var thread = pthread_t()
    let start = unsafe Unmanaged.passRetained(work).toOpaque()
    let status = unsafe pthread_create(&thread, nil, threadMain, start)
    guard status == 0 else { fatalError("no thread: \(status)") }
    return thread
}

/// What each thread runs.
func threadMain(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let start = unsafe start else { return nil }
    let told = unsafe Unmanaged<Work>.fromOpaque(start).takeRetainedValue()
    // A thread that begins when another has ended may pass for that one with the sanitizer; this orders nothing else.
    told.shared.present.add(1, ordering: .relaxed)
    while told.shared.present.load(ordering: .relaxed) < threads { sched_yield() }
    work(told.way, told.number, told.shared)
    return nil
}

@main
enum Races {
    static func main() {
        guard CommandLine.arguments.count == 2, let way = Way(rawValue: CommandLine.arguments[1]) else {
            fatalError("usage: races mutex|attempt|atomic|publication|bare|halfLocked|relaxed")
        }
        let shared = Shared()
        let running = (0..<threads).map { begin(Work(way, $0, shared)) }
        for thread in running { pthread_join(thread, nil) }
        guard way == .mutex || way == .attempt else { return }
        // Each change under the lock is there: the lock locks.
        guard shared.locked.withLock({ $0 }) == threads * rounds, shared.plain == threads * rounds else {
            fatalError("\(way): changes were lost")
        }
    }
}
