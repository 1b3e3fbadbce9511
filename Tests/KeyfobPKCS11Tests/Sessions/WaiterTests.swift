// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

@testable import KeyfobPKCS11

@Suite struct WaiterTests {
    @Test func `An answer given before the wait is there at once`() {
        let waiter = Waiter<Int>()
        waiter.resume(7)
        #expect(waiter.wait() == 7)
        #expect(waiter.wait(until: .now) == 7)
    }

    @Test func `An answer of another thread ends the wait`() throws {
        let waiter = Waiter<Int>()
        let waiting = Background { waiter.wait() }
        waiter.resume(8)
        #expect(try waiting.value() == 8)
    }

    @Test func `A wait past its deadline has no answer`() {
        #expect(Waiter<Int>().wait(until: .after(.milliseconds(1))) == nil)
    }

    @Test func `Durations are counted in nanoseconds, negative ones as none`() {
        #expect(MonotonicTime.nanoseconds(.milliseconds(1500)) == 1_500_000_000)
        #expect(MonotonicTime.nanoseconds(.seconds(-1)) == 0)
    }
}
