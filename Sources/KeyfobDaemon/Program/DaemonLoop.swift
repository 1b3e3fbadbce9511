// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobSystemd
internal import KeyfobWords

/// The main thread of a daemon that serves: signals, the manager's watchdog, the descriptor that stops it.
struct DaemonLoop: ~Copyable {
    /// What the loop listens to; SIGCHLD matters to process 1 alone, which inherits the orphans of its container.
    static let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD]
    /// Those that stop the daemon.
    static let stopSignals = [SIGTERM, SIGINT]
    /// How long running requests may take once the daemon is told to stop.
    static let grace = Duration.seconds(10)
    /// How often the manager hears of another status line.
    private static let statusPause = Duration.seconds(5)

    let service: any DaemonService
    private let signals: SignalDescriptor
    private let stopDescriptor: Int32?
    private let watchdog: Duration?
    private let hasManager = ServiceNotification.hasManager
    private var saidStatus = ""
    private var isComplaining = false

    init(
        _ service: any DaemonService, _ signals: consuming SignalDescriptor, stopDescriptor: Int32?, watchdog: Duration?
    ) {
        self.service = service
        self.signals = signals
        self.stopDescriptor = stopDescriptor
        self.watchdog = watchdog
    }

    /// Tells the manager that the service is ready, and returns when something stops it: what, in words.
    mutating func run() -> String {
        tellReady()
        while true {
            let events = wait()
            if events.signal {
                while let signal = signals.next() {
                    if let reason = handle(signal) { return reason }
                }
            }
            if events.stop, let stopDescriptor, hasEnded(stopDescriptor) { return "descriptor \(stopDescriptor) ended" }
            tellHealth()
        }
    }

    // MARK: - Events

    private func wait() -> (signal: Bool, stop: Bool) {
        // A negative number is none to poll.
        var watched = [
            pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stopDescriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let count = unsafe poll(&watched, nfds_t(watched.count), pause)
        guard count > 0 else { return (false, false) }
        return (watched[0].revents != 0, watched[1].revents != 0)
    }

    /// Milliseconds until the manager has to hear something; without one nothing is due.
    private var pause: Int32 {
        let due = [watchdog.map { $0 / 2 }, hasManager ? Self.statusPause : nil].compactMap(\.self).min()
        return due.map {
            Int32(clamping: max(1, $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000))
        } ?? -1
    }

    private mutating func handle(_ signal: Int32) -> String? {
        switch signal {
        case SIGTERM: return "SIGTERM"
        case SIGINT: return "SIGINT"
        case SIGHUP: reload()
        case SIGUSR1: lock()
        default: reapOrphans()
        }
        return nil
    }

    private mutating func reload() {
        ServiceNotification.reloading()
        do throws(KeychainError) {
            try service.reload()
            Log.shared.notice("policies were read again")
        } catch {
            Log.shared.error("policies stay as they were: \(Failure(error).what)")
        }
        tellReady()
    }

    private mutating func lock() {
        do throws(KeychainError) {
            try service.lock(.signal)
        } catch {
            Log.shared.error("the keychain could not be locked: \(Failure(error).what)")
        }
        tellStatus()
    }

    private func reapOrphans() {
        // Anywhere else a child belongs to the library that started it and waits for it.
        guard getpid() == 1 else { return }
        var status: Int32 = 0
        while unsafe waitpid(-1, &status, WNOHANG) > 0 {}
    }

    /// What is written to it means nothing; a descriptor that cannot be read any more has ended too.
    private func hasEnded(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
    }

    // MARK: - Manager

    private mutating func tellReady() {
        saidStatus = service.statusLine
        ServiceNotification.ready(status: saidStatus)
    }

    private mutating func tellStatus() {
        guard hasManager, saidStatus != service.statusLine else { return }
        saidStatus = service.statusLine
        ServiceNotification.status(saidStatus)
    }

    private mutating func tellHealth() {
        tellStatus()
        guard watchdog != nil else { return }
        let isHealthy = service.isHealthy
        if isHealthy { ServiceNotification.alive() }
        if isHealthy == isComplaining {
            isComplaining = !isHealthy
            if isComplaining { Log.shared.error("requests are not answered; the manager's watchdog is not told") }
        }
    }
}
