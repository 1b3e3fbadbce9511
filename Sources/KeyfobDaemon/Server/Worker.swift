// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// A thread that serves: it waits for a client, reads its frame, and has it handled.
///
/// A request of a client that waits costs four calls of the system besides what the handler does: the wait, the receiving,
/// the sending, and the word that the connection is waited for again. A client whose next request comes soon costs three:
/// one worker at a time stays with whom it has answered, and waits on the client's own socket. Such a wait also ends
/// sooner: whoever sends on a socket hands the processor over to the one who waits on it, while the waiting on a queue
/// of events is resumed on another processor, which may have to wake up first.
final class Worker: Sendable {
    /// What the thread does after a step.
    enum Next {
        /// Waits for a client.
        case wait
        /// Runs a request that waited.
        case run(ServerCore.Job)
        /// Stays with the client that it has answered.
        case stay(Connection)
        /// Its request was taken: the thread is written off.
        case lost
    }

    /// Bytes that are received at once.
    static let bufferSize = 16384
    /// How long a worker stays with a client that says nothing.
    static let stay = Duration.milliseconds(10)

    let id: Int
    let core: ServerCore
    /// The request that runs; the monitor looks at it.
    let turn = Mutex(TurnState<ServerCore.Job>())

    init(id: Int, core: ServerCore) {
        self.id = id
        self.core = core
    }

    /// The thread: until the server stops, or it was written off and is not needed any more; true in that case.
    ///
    /// `isBack` is called when it was written off and goes on.
    func run(_ buffer: consuming SecretBytes, isBack: () -> Void) -> Bool {
        var buffer = buffer
        var next = free()
        while true {
            switch next {
            case .run(let job): next = runQueued(job)
            case .stay(let connection): next = stay(with: connection, &buffer)
            case .lost:
                guard core.workers.withLock({ $0.returned() }) else { return true }
                isBack()
                next = free()
            case .wait:
                guard let token = event() else { continue }
                if token == ServerCore.stopToken {
                    if core.workers.withLock({
                        $0.ended(); return $0.isOver
                    }) {
                        core.over.signal()
                    }
                    return false
                }
                guard let connection = core.table.withLock({ $0[token] }) else { continue }
                next = advance(connection, &buffer)
            }
        }
    }

    private func event() -> UInt64? {
        do throws(PosixError) {
            return try core.events.wait()
        } catch {
            // A queue that is open and memory that is there: nothing else can fail.
            preconditionFailure("\(error.call): errno \(error.errno)")
        }
    }

    private func free() -> Next {
        core.workers.withLock { $0.next() }.map { .run($0) } ?? .wait
    }

    // MARK: - Running

    /// Runs a request whose whole frame the connection has.
    func runQueued(_ job: ServerCore.Job) -> Next {
        let connection = job.connection
        do throws(SecretMemoryError) {
            guard let frame = try connection.input.takeFrame() else { return finish(job) }
            return frame.withBytes { run(job, $0) }
        } catch {
            core.refuse(job.header, .tooManyBytes, connection)
            return finish(job)
        }
    }

    /// Has a request handled and sends the answer; `frame` begins with its header.
    func run(_ job: ServerCore.Job, _ frame: RawSpan) -> Next {
        let (header, connection) = (job.header, job.connection)
        let start = Moment.now
        let time = core.settings.requestDeadline
        turn.withLock { $0.begin(job, deadline: start + time) }
        core.counters.requests.add(1, ordering: .relaxed)
        let body = frame.extracting(FrameHeader.size..<(FrameHeader.size + Int(header.length)))
        let answer = core.handler.handle(header, body, connection.context) { frame in
            guard turn.withLock({ $0.speak() }) else { return false }
            // A client that has not read the last one does without this one.
            if core.flush(connection) { core.send(frame, to: connection) }
            turn.withLock { $0.spoken(deadline: .now + time) }
            return !connection.isBroken
        }
        let duration = start.duration(to: .now)
        // Too late: the client was told, and the connection is somebody else's.
        guard turn.withLock({ $0.finish() }) else { return .lost }
        switch consume answer {
        case .send(let frame): core.send(frame, to: connection)
        case .sendAndClose(let frame):
            core.send(frame, to: connection)
            connection.isClosing = true
        case .close:
            connection.isBroken = true
            connection.output.clear()
        }
        core.handler.served(header.operation, duration, .answered)
        return finish(job)
    }

    /// The request is done; the thread runs what waits, stays with the client, or lets the connection be waited for.
    private func finish(_ job: ServerCore.Job) -> Next {
        let connection = job.connection
        let mayStay = connection.isQuiet && core.account(for: connection)
        switch core.workers.withLock({ $0.finished(mayStay: mayStay, wasSlow: job.isSlow) }) {
        case .run(let job):
            core.wait(for: connection)
            return .run(job)
        case .stay: return .stay(connection)
        case .read:
            core.wait(for: connection)
            return .wait
        }
    }

    /// Waits for the client's next bytes, for a moment and for as long as nobody else has any.
    private func stay(with connection: Connection, _ buffer: inout SecretBytes) -> Next {
        let isNext = core.events.isNext(connection.socket.descriptor, Self.stay, &connection.eagerness)
        core.workers.withLock { $0.stayed() }
        guard isNext else {
            core.wait(for: connection)
            return free()
        }
        return receiveFirst(connection, &buffer)
    }
}
