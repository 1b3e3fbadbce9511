// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobSystemd
internal import KeyfobWords
internal import Synchronization

/// What locks a daemon's keychain without being asked: time without use, and the sleep of the machine.
final class AutomaticLocks: Sendable {
    private struct State {
        var idle: IdleClock?
        var sleep: SleepWatch?
    }

    private let engine: KeychainEngine
    private let limit: IdleLimit
    private let watchesSleep: Bool
    private let state = Mutex(State())

    /// Begins nothing yet.
    init(_ engine: KeychainEngine, idle limit: IdleLimit, watchesSleep: Bool) {
        self.engine = engine
        self.limit = limit
        self.watchesSleep = watchesSleep
    }

    /// By what the keychain is locked now.
    var triggers: LockTriggers {
        let suspend: LockTriggers.Suspend =
            switch state.withLock({ $0.sleep })?.phase {
            case nil, .starting: .unwatched
            case .watching: .watched
            case .unavailable: .unavailable
            }
        return LockTriggers(idleSeconds: limit.seconds, suspend: suspend)
    }

    /// Begins; `stop` must follow, also after an error.
    ///
    /// - Throws: `.inputOutput` if there is no descriptor or no thread for it.
    func start() throws(KeychainError) {
        do throws(PosixError) {
            if let seconds = limit.seconds {
                let clock = try IdleClock(engine, limit: .seconds(seconds))
                state.withLock { $0.idle = clock }
            }
            guard watchesSleep else { return }
            let engine = engine
            let watch = try SleepWatch(
                why: "locks the keychain before the machine sleeps", beforeSleep: { Self.lock(engine) })
            state.withLock { $0.sleep = watch }
        } catch {
            throw KeychainError(.inputOutput, .serve, cause: .posix(call: error.call, errno: error.errno))
        }
    }

    /// Ends, and waits for a lock that is under way.
    func stop() {
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        taken.idle?.stop()
        taken.sleep?.stop()
    }

    private static func lock(_ engine: KeychainEngine) {
        do throws(KeychainError) { try engine.lock(.suspend) } catch {
            Log.shared.error("the machine sleeps and the keychain could not be locked: \(Failure(error).what)")
        }
    }
}
