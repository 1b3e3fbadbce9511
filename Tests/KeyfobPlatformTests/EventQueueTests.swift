// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import KeyfobPlatform

struct EventQueueTests {
    @Test func `An event carries the token of its descriptor`() throws {
        let queue = try EventQueue()
        let wakeUp = try WakeUp()
        try queue.add(wakeUp.descriptor, [.readable], token: 0xFEED_0000_0001)
        wakeUp.signal()
        #expect(try queue.wait(.seconds(30)) == 0xFEED_0000_0001)
    }

    @Test func `Without an event a wait ends when its time is over`() throws {
        let queue = try EventQueue()
        let before = Moment.now
        #expect(try queue.wait(.milliseconds(20)) == nil)
        #expect(before.duration(to: .now) >= .milliseconds(20))
    }

    @Test func `A descriptor that is waited for once is silent until it is changed`() throws {
        let queue = try EventQueue()
        let wakeUp = try WakeUp()
        try queue.add(wakeUp.descriptor, [.readable, .once], token: 1)
        wakeUp.signal()
        #expect(try queue.wait(.seconds(30)) == 1)
        #expect(try queue.wait(.zero) == nil)
        try queue.change(wakeUp.descriptor, [.readable, .once], token: 2)
        #expect(try queue.wait(.seconds(30)) == 2)
    }

    @Test func `A descriptor that was removed or closed has no events`() throws {
        let queue = try EventQueue()
        let removed = try WakeUp()
        try queue.add(removed.descriptor, [.readable], token: 1)
        try queue.remove(removed.descriptor)
        removed.signal()
        do {
            let closed = try WakeUp()
            try queue.add(closed.descriptor, [.readable], token: 2)
            closed.signal()
        }
        #expect(try queue.wait(.zero) == nil)
    }

    @Test func `Descriptors that are all ready take turns`() throws {
        let queue = try EventQueue()
        let first = try WakeUp()
        let second = try WakeUp()
        try queue.add(first.descriptor, [.readable], token: 1)
        try queue.add(second.descriptor, [.readable], token: 2)
        first.signal()
        second.signal()
        let seen = try (0..<4).map { _ in try queue.wait(.seconds(30)) }
        #expect(Set(seen) == [1, 2])
    }

    @Test func `Adding a descriptor twice is an error`() throws {
        let queue = try EventQueue()
        let wakeUp = try WakeUp()
        try queue.add(wakeUp.descriptor, [.readable], token: 1)
        #expect(throws: PosixError(call: "epoll_ctl", errno: EEXIST)) {
            try queue.add(wakeUp.descriptor, [.readable], token: 1)
        }
    }

    @Test(arguments: [true, false])
    func `A descriptor is favoured as long as nothing else is there`(looksFirst: Bool) throws {
        var eagerness = Eagerness(mayLook: looksFirst)
        let queue = try EventQueue()
        let favoured = try WakeUp()
        let other = try WakeUp()
        try queue.add(other.descriptor, [.readable], token: 1)
        let silent = queue.isNext(favoured.descriptor, .milliseconds(1), &eagerness)
        #expect(!silent)
        favoured.signal()
        let ready = queue.isNext(favoured.descriptor, .seconds(30), &eagerness)
        #expect(ready)
        other.signal()
        let both = queue.isNext(favoured.descriptor, .seconds(30), &eagerness)
        #expect(!both)
    }

    @Test func `A signal stays until it is cleared`() throws {
        let wakeUp = try WakeUp()
        let before = wakeUp.wait(.zero)
        #expect(!before)
        wakeUp.signal()
        wakeUp.signal()
        let signalled = wakeUp.wait(nil)
        #expect(signalled)
        wakeUp.clear()
        let after = wakeUp.wait(.milliseconds(1))
        #expect(!after)
    }

    @Test func `A thread of ours blocks every signal and has its name`() throws {
        let name = Held("")
        let thread = try OwnThread("keyfob-test-thread") {
            var blocked = sigset_t()
            unsafe pthread_sigmask(SIG_SETMASK, nil, &blocked)
            let takesNone = [SIGTERM, SIGHUP, SIGINT, SIGUSR1].allSatisfy { unsafe sigismember(&blocked, $0) == 1 }
            name.set(takesNone ? contents("/proc/thread-self/comm") ?? "" : "takes signals")
        }
        thread.join()
        #expect(name.value == "keyfob-test-thr\n")
    }

    @Test func `Time goes on and a deadline is later than now`() {
        let now = Moment.now
        #expect(now + .milliseconds(5) > now)
        #expect((now + .milliseconds(5)).duration(to: now) == .zero)
        #expect(now.duration(to: now + .milliseconds(5)) == .milliseconds(5))
        #expect(now + .seconds(-5) == now)
        #expect(Moment.now >= now)
    }

    @Test func `The limit of descriptors is raised as far as it may be and never lowered`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 64, rlim_max: 512)
            precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            precondition(DescriptorLimit.raise(to: 256) == 256)
            precondition(DescriptorLimit.raise(to: 100) == 256)
            precondition(DescriptorLimit.raise(to: 100_000) == 512)
        }
    }
}
