// SPDX-License-Identifier: Apache-2.0
package import KeyfobPlatform
internal import Synchronization

/// Has something done before the machine sleeps, which waits for it; on a thread of its own, which owns the bus.
///
/// Where there is no system bus, or no logind on it, it does without and looks again every now and then.
package final class SleepWatch: Sendable {
    /// How it stands.
    package enum Phase: Hashable, Sendable {
        /// It has not yet heard from logind.
        case starting
        case watching
        /// There is no system bus, or no logind that lets us delay the sleep.
        case unavailable
    }

    private final class Shared: Sendable {
        struct State {
            var phase = Phase.starting
            /// Whether the thread may be in a call that takes as long as the bus takes.
            var isCalling = false
            var isStopping = false
        }

        let bell: WakeUp
        let state = Mutex(State())

        init() throws(PosixError) {
            bell = try WakeUp()
        }

        /// The thread is about to call the bus, or not any more; false: it has to end.
        func goOn(calling isCalling: Bool) -> Bool {
            state.withLock { state in
                state.isCalling = isCalling
                return !state.isStopping
            }
        }

        /// Whether that is new.
        func change(_ phase: Phase) -> Bool {
            state.withLock { state in
                defer { state.phase = phase }
                return state.phase != phase
            }
        }
    }

    private let shared: Shared
    private let thread: OwnThread

    /// Begins; `stop` must follow.
    ///
    /// - Parameters:
    ///   - why: What people are shown who look at what delays the sleep (systemd-inhibit(1)).
    ///   - address: Where the bus is, as D-Bus writes it; nil: where it usually is (sd_bus_open_system(3)).
    ///   - beforeSleep: Is called on the watch's thread; the machine waits until it returns, some seconds at most.
    /// - Throws: If there is no descriptor or no thread for it.
    package init(why: String, address: String? = nil, beforeSleep: @escaping @Sendable () -> Void) throws(PosixError) {
        let shared = try Shared()
        thread = try OwnThread("keyfobd-sleep") {
            var pause = RetryPause()
            while shared.goOn(calling: true) {
                do throws(PosixError) {
                    try Self.watch(shared, why, address, &pause, beforeSleep)
                    return
                } catch {
                    guard shared.goOn(calling: false) else { return }
                    if shared.change(.unavailable) {
                        Log.shared.notice(
                            "the machine's sleep is not watched: no system bus, or no logind (\(error.call): errno "
                                + "\(error.errno))")
                    }
                }
                if shared.bell.wait(pause.next()) { return }
            }
        }
        self.shared = shared
    }

    /// How it stands now.
    package var phase: Phase { shared.state.withLock { $0.phase } }

    /// Ends, and waits for what is done before a sleep; after it nothing is begun any more.
    ///
    /// A bus that does not answer is not waited for.
    package func stop() {
        let isCalling = shared.state.withLock { state in
            state.isStopping = true
            return state.isCalling
        }
        shared.bell.signal()
        if isCalling { thread.letGo() } else { thread.join() }
    }

    /// Connects, and does what is to be done before each sleep until the bell rings.
    ///
    /// - Throws: If bus or logind are not there, or go away.
    private static func watch(
        _ shared: Shared, _ why: String, _ address: String?, _ pause: inout RetryPause, _ beforeSleep: () -> Void
    ) throws(PosixError) {
        var manager = try LoginManager(address)
        while true {
            // Held until the machine may sleep.
            let delay = try manager.delaySleep(who: "Keyfob", why: why)
            guard shared.goOn(calling: false) else { return }
            pause = RetryPause()
            if shared.change(.watching) { Log.shared.notice("the machine's sleep is watched") }
            guard try manager.next(.sleeps, until: shared.bell) else { return }
            beforeSleep()
            letGo(delay)
            guard try manager.next(.wakes, until: shared.bell), shared.goOn(calling: true) else { return }
        }
    }

    private static func letGo(_ delay: consuming Descriptor) {}
}

/// How long to wait before something is tried again: a second, then twice as long each time, up to a minute.
struct RetryPause: Equatable {
    private static let longest = Duration.seconds(60)
    private var pause = Duration.seconds(1)

    /// How long to wait now.
    mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}
