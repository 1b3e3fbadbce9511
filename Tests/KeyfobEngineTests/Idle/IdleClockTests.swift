// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import Synchronization
import Testing

@testable import KeyfobEngine

struct IdleClockTests {
    /// Unlocked until it is locked; each lock passes a gate.
    private final class Keychain: IdleKeychain {
        let locks = Shared(0)
        let failures: Int
        let gate = Gate()
        let unlocked = Atomic(true)

        init(failures: Int = 0) {
            self.failures = failures
        }

        var isUnlocked: Bool { unlocked.load(ordering: .relaxed) }
        func takeUse() -> Bool { false }

        func lockAsIdle() throws(KeychainError) {
            locks.change { $0 += 1 }
            let fails = locks.now <= failures
            gate.pass()
            guard !fails else { throw KeychainError(.tokenFailed, .lock) }
            unlocked.store(false, ordering: .relaxed)
        }
    }

    /// A clock that a second passes on each time it is looked at.
    private static func ticking() -> @Sendable () -> Moment {
        let seconds = Shared<UInt64>(0)
        return {
            seconds.change { $0 += 1 }
            return Moment(nanoseconds: seconds.now * 1_000_000_000)
        }
    }

    @Test func `Nobody uses the keychain, so it is locked once`() throws {
        let keychain = Keychain()
        let clock = try IdleClock(keychain, limit: .seconds(1), now: Self.ticking())
        keychain.gate.waitForArrival()
        keychain.gate.open()
        #expect(DaemonLab.waits { !keychain.isUnlocked })
        clock.stop()
        #expect(keychain.locks.now == 1)
    }

    @Test func `A lock that fails is tried again`() throws {
        let keychain = Keychain(failures: 2)
        let clock = try IdleClock(keychain, limit: .seconds(1), now: Self.ticking())
        for _ in 0..<3 {
            keychain.gate.waitForArrival()
            keychain.gate.open()
        }
        #expect(DaemonLab.waits { !keychain.isUnlocked })
        clock.stop()
        #expect(keychain.locks.now == 3)
    }

    @Test func `A stop does not wait for the time to pass`() throws {
        let keychain = Keychain()
        try IdleClock(keychain, limit: .seconds(86400)).stop()
        #expect(keychain.locks.now == 0)
    }
}
