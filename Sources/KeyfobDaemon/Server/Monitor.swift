// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// The thread that accepts connections and keeps the deadlines.
///
/// While nobody is connected it sleeps for good. Else it looks at every deadline twice in the time of the shortest one, so
/// that the workers need not tell it of any; one that it has seen, it keeps to the millisecond.
final class Monitor: Sendable {
    private struct Orders {
        /// The sockets to listen on, until the thread takes them: from then on nobody else holds them.
        var listeners: [Listener] = []
        /// When running requests are cut short; not nil from the moment the server stops.
        var stopBy: Moment?
        var ends = false
    }

    private static let wakeToken = UInt64.max

    let core: ServerCore
    let crew: Crew
    private let queue: EventQueue
    private let wakeUp: WakeUp
    private let orders = Mutex(Orders())

    init(_ core: ServerCore, _ crew: Crew) throws(PosixError) {
        self.core = core
        self.crew = crew
        queue = try EventQueue()
        wakeUp = try WakeUp()
        try queue.add(wakeUp.descriptor, [.readable], token: Self.wakeToken)
    }

    /// Says where to listen, before the thread starts.
    func listen(on listeners: [Listener]) {
        orders.withLock { $0.listeners = listeners }
    }

    /// Closes the listening sockets, and cuts short at `moment` what still runs.
    func stop(by moment: Moment) {
        orders.withLock { $0.stopBy = moment }
        wakeUp.signal()
    }

    /// Ends the thread.
    func end() {
        orders.withLock { $0.ends = true }
        wakeUp.signal()
    }

    /// The thread.
    func run() {
        var listeners = orders.withLock { orders in
            defer { orders.listeners = [] }
            return orders.listeners
        }
        var door = Door(core: core)
        var sweepAt: Moment?
        door.open(listeners, queue)
        while true {
            let now = Moment.now
            let next = [sweepAt, door.pausedUntil].compactMap(\.self).min()
            let token = event(next.map { now.duration(to: $0) })
            let orders = orders.withLock { $0 }
            if orders.ends { return }
            if token == Self.wakeToken { wakeUp.clear() }
            if orders.stopBy != nil, !listeners.isEmpty {
                door.close(listeners, queue)
                // Their files go with them.
                listeners = []
                sweepAt = .now
            }
            if let token, token < listeners.count { door.accept(listeners[Int(token)], listeners, queue) }
            if let pause = door.pausedUntil, pause <= .now { door.open(listeners, queue) }
            if sweepAt.map({ $0 <= .now }) ?? true { sweepAt = sweep(stopBy: orders.stopBy) }
        }
    }

    private func event(_ timeout: Duration?) -> UInt64? {
        do throws(PosixError) {
            return try queue.wait(timeout)
        } catch {
            // A queue that is open and memory that is there: nothing else can fail.
            preconditionFailure("\(error.call): errno \(error.errno)")
        }
    }

    // MARK: - Deadlines

    /// Does what is due; when to look again, or nil if there is nothing that could become due.
    private func sweep(stopBy: Moment?) -> Moment? {
        let now = Moment.now
        let isLast = stopBy.map { $0 <= now } ?? false
        var next = stopBy.map { isLast ? now + .milliseconds(1) : $0 }
        func consider(_ moment: Moment?) { if let moment { next = min(next ?? moment, moment) } }
        for worker in crew.all {
            if let job = takeOverdue(worker, isLast ? nil : now) {
                refuse(job, isLast ? .stopping : .timedOut)
                core.handler.served(job.header.operation, core.settings.requestDeadline, .timedOut)
            }
            consider(worker.turn.withLock { $0.deadline })
        }
        for job in core.workers.withLock({ $0.expired(isLast ? nil : now) }) {
            core.dropFrame(of: job.connection)
            refuse(job, isLast ? .stopping : .timedOut)
        }
        for _ in 0..<core.workers.withLock({ $0.missing }) {
            core.workers.withLock { $0.startsMissing() }
            crew.hire()
        }
        consider(core.workers.withLock { $0.nextDeadline })
        for connection in core.table.withLock({ $0.all }) {
            if connection.expire(now) {
                // That is an event, and so it comes to a worker, who closes it.
                connection.socket.shutDown()
            } else {
                consider(connection.nextDeadline)
            }
        }
        guard next != nil || core.admission.withLock({ $0.connections > 0 }) else { return nil }
        let interval = min(core.settings.transferDeadline, core.settings.requestDeadline) / 2
        // Not again before anything can have changed.
        return max(min(next ?? now + interval, now + interval), now + .milliseconds(1))
    }

    /// Takes a request from a thread that is past its deadline, and sees to another thread.
    private func takeOverdue(_ worker: Worker, _ now: Moment?) -> ServerCore.Job? {
        // The turn's lock is held until all is noted: the thread may come back at any moment.
        let (job, isReplaced, isOver) = worker.turn.withLock { turn -> (ServerCore.Job?, Bool, Bool) in
            guard let job = turn.take(now) else { return (nil, false, false) }
            crew.writeOff(worker)
            return core.workers.withLock { state in (job, state.overdue(wasSlow: job.isSlow), state.isOver) }
        }
        guard let job else { return nil }
        Log.shared.error("a request of operation \(job.header.operation) hangs; its thread is written off")
        if isReplaced { crew.hire() }
        let (abandoned, reason) = core.workers.withLock {
            ($0.abandoned(), $0.isStopping ? Refusal.stopping : .unavailable)
        }
        for waiting in abandoned {
            core.dropFrame(of: waiting.connection)
            refuse(waiting, reason)
        }
        if isOver { core.over.signal() }
        return job
    }

    /// Answers a request in the place of a worker; the connection was the monitor's since it took the request.
    private func refuse(_ job: ServerCore.Job, _ reason: Refusal) {
        core.refuse(job.header, reason, job.connection)
        core.wait(for: job.connection)
    }
}
