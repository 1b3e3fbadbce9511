// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
package import KeyfobPlatform
internal import Synchronization

/// Locks a keychain that nobody has used for a while, from a thread of its own (`IdleState` decides when).
package final class IdleClock: Sendable {
    private let ticker: Ticker

    /// Begins; `stop` must follow.
    ///
    /// - Parameters:
    ///   - keychain: looked at and locked; both may block as the engine does.
    ///   - now: the clock, which must run while the machine sleeps.
    /// - Throws: if there is no descriptor or no thread for it.
    package init(
        _ keychain: any IdleKeychain, limit: Duration, now: @escaping @Sendable () -> Moment = { .nowAsleepToo }
    ) throws(PosixError) {
        let state = Mutex(IdleState(limit: limit))
        ticker = try Ticker("keyfob-idle", after: .zero) {
            // The mark before the state: an unlock in between leaves another one.
            let wasUsed = keychain.takeUse()
            let isUnlocked = keychain.isUnlocked
            switch state.withLock({ $0.looked(isUnlocked: isUnlocked, wasUsed: wasUsed, now: now()) }) {
            case .wait(let pause): return pause
            case .lock(let pause):
                Self.lock(keychain)
                return pause
            }
        }
    }

    /// Ends, and waits for a lock that is under way.
    package func stop() { ticker.stop() }

    private static func lock(_ keychain: any IdleKeychain) {
        do throws(KeychainError) { try keychain.lockAsIdle() } catch {
            Log.shared.error(
                "the keychain is idle and could not be locked: error \(error.code.rawValue) of docs/errors.md")
        }
    }
}

/// What the clock looks at.
package protocol IdleKeychain: AnyObject, Sendable {
    /// Whether there is anything to lock; asks the token nothing.
    var isUnlocked: Bool { get }

    /// Whether anything was done since the last call that a lock would have refused, an unlock included.
    func takeUse() -> Bool

    /// Locks it, for the reason `idle`.
    ///
    /// - Throws: as `KeychainEngine.lock`.
    func lockAsIdle() throws(KeychainError)
}

extension KeychainEngine: IdleKeychain {
    package var isUnlocked: Bool { lockState == .unlocked }

    package func lockAsIdle() throws(KeychainError) { try lock(.idle) }
}
