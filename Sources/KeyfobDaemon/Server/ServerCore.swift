// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// What the threads of a server share.
///
/// Each lock is held for a few steps of its own state only, never across a call of the system or of the handler.
final class ServerCore: Sendable {
    /// A request, and whose it is.
    struct Job {
        let connection: Connection
        let header: FrameHeader
        /// Whether it may wait for the token.
        let isSlow: Bool
    }

    /// The token of the event that ends the workers.
    static let stopToken = UInt64.max

    let handler: any FrameHandler
    let settings: ServerSettings
    let counters = ServerCounters()
    /// The connections that are waited for.
    let events: EventQueue
    /// Signalled when the workers are to end.
    let stopping: WakeUp
    /// Signalled when the last live worker has ended.
    let over: WakeUp
    let workers: Mutex<WorkerState<Job>>
    let admission: Mutex<AdmissionState>
    let table = Mutex(ConnectionTable())

    init(_ handler: any FrameHandler, _ settings: ServerSettings) throws(PosixError) {
        self.handler = handler
        self.settings = settings
        events = try EventQueue()
        stopping = try WakeUp()
        over = try WakeUp()
        workers = Mutex(
            WorkerState(
                workers: settings.workers, queueLimit: settings.queueLimit, writtenOffLimit: settings.writtenOffLimit))
        admission = Mutex(AdmissionState(limits: settings))
        try events.add(stopping.descriptor, [.readable], token: Self.stopToken)
    }

    // MARK: - For the owner of a connection

    /// Lets the connection be waited for again: for the client to read, if it has not read everything, else for its
    /// next bytes.
    ///
    /// It is not the caller's any more.
    func wait(for connection: Connection) {
        guard connection.output.isEmpty else {
            let deadline = connection.outputDeadline ?? .now + settings.transferDeadline
            connection.outputDeadline = deadline
            return wait(for: connection, .writable, deadline)
        }
        connection.outputDeadline = nil
        guard !connection.isClosing, !connection.isBroken else { return close(connection) }
        guard !connection.input.isEmpty else {
            connection.inputDeadline = nil
            return wait(for: connection, .readable, nil)
        }
        // What is there already waits its turn behind the connections that have been waiting.
        if connection.input.needsTurn { return wait(for: connection, [.readable, .writable], nil) }
        let deadline = connection.inputDeadline ?? .now + settings.transferDeadline
        connection.inputDeadline = deadline
        wait(for: connection, .readable, deadline)
    }

    private func wait(for connection: Connection, _ interest: EventQueue.Interest, _ deadline: Moment?) {
        guard account(for: connection) else { return close(connection, counting: .tooManyBytes) }
        connection.handOver(deadline)
        do throws(PosixError) {
            try events.change(connection.socket.descriptor, interest.union(.once), token: connection.token)
        } catch {
            Log.shared.error("a connection is lost: \(error.call): errno \(error.errno)")
            close(connection)
        }
    }

    /// Counts the memory that the connection has now; false if it may not have it.
    func account(for connection: Connection) -> Bool {
        reserve(connection.input.capacity + connection.output.capacity, for: connection)
    }

    /// Counts as much memory as said for the connection; false if it may not have it.
    func reserve(_ wanted: Int, for connection: Connection) -> Bool {
        let change = wanted - connection.reserved
        guard change != 0 else { return true }
        let granted = admission.withLock { state in
            if change > 0 { return state.reserve(change, connection.user) }
            state.release(-change, connection.user)
            return true
        }
        if granted { connection.reserved = wanted }
        return granted
    }

    /// Ends the connection at once.
    func close(_ connection: Connection, counting reason: Refusal? = nil) {
        guard table.withLock({ $0.remove(connection) }) else { return }
        if let reason { counters.count(reason) }
        connection.input.clear()
        connection.output.clear()
        connection.context.cache = nil
        admission.withLock { state in
            state.release(connection.reserved, connection.user)
            state.disconnect(connection.user)
        }
        connection.reserved = 0
        // A thread that hangs may hold the descriptor for long.
        connection.socket.shutDown()
    }

    /// Wipes the first frame that a connection has.
    func dropFrame(of connection: Connection) {
        do throws(SecretMemoryError) {
            _ = try connection.input.takeFrame()
        } catch {
            Log.shared.error("no memory for a frame: \(error.name): errno \(error.errno)")
            connection.isClosing = true
            connection.input.clear()
        }
    }

    // MARK: - Answers

    /// Sends a whole frame after what was sent before, and keeps what the socket does not take.
    func send(_ frame: consuming SecretBytes, to connection: Connection) {
        guard !connection.isBroken, !frame.isEmpty else { return }
        do throws(PosixError) {
            var sent = 0
            if connection.output.isEmpty {
                sent = try frame.withBytes { (bytes) throws(PosixError) in try connection.socket.sendSome(bytes) } ?? 0
                counters.bytesOut.add(sent, ordering: .relaxed)
                if sent == frame.count { return }
            }
            do throws(SecretMemoryError) {
                try connection.output.add(frame, sent: sent)
            } catch {
                Log.shared.error("an answer is lost: \(error.name): errno \(error.errno)")
                connection.isBroken = true
            }
        } catch {
            // The client is gone, and nobody misses the answer.
            connection.isBroken = true
        }
        if connection.isBroken { connection.output.clear() }
    }

    /// Sends what is waiting; whether everything is sent.
    func flush(_ connection: Connection) -> Bool {
        do throws(PosixError) {
            counters.bytesOut.add(try connection.output.flush(to: connection.socket), ordering: .relaxed)
        } catch {
            // The client is gone.
            connection.isBroken = true
            connection.output.clear()
        }
        return connection.output.isEmpty
    }

    /// Tells the client why its request, or whatever it sent, is not answered.
    ///
    /// The connection stays the caller's.
    func refuse(_ request: FrameHeader, _ reason: Refusal, _ connection: Connection) {
        counters.count(reason)
        if let frame = handler.refusal(of: request, reason) { send(frame, to: connection) }
        guard !reason.keepsConnection else { return }
        connection.isClosing = true
        connection.input.clear()
    }
}
