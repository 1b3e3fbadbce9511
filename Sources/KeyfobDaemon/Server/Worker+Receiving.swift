// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

extension Worker {
    /// Bytes of one frame that are received before other connections have their turn.
    private static let burst = 1 << 20

    /// What the bytes that came lead to.
    private enum Received {
        /// A whole frame.
        case frame(FrameHeader)
        /// A part of one: there are no more bytes now.
        case part
        /// The client has ended its side, or is gone.
        case end
        case refused(FrameHeader, Refusal)
    }

    /// Goes on with a connection that something has happened to.
    func advance(_ connection: Connection, _ buffer: inout SecretBytes) -> Next {
        guard connection.take() else {
            core.counters.slow.add(1, ordering: .relaxed)
            core.close(connection)
            return .wait
        }
        if !connection.output.isEmpty, !core.flush(connection) { return waitAgain(connection) }
        guard !connection.isClosing, !connection.isBroken else { return waitAgain(connection) }
        if connection.input.isEmpty { return receiveFirst(connection, &buffer) }
        switch receiveMore(connection) {
        case .frame(let header): return admit(header, connection)
        case .part: return waitAgain(connection)
        case .end: return closed(connection)
        case .refused(let header, let reason):
            core.refuse(header, reason, connection)
            return waitAgain(connection)
        }
    }

    private func waitAgain(_ connection: Connection) -> Next {
        core.wait(for: connection)
        return .wait
    }

    /// The client sends no more; a frame that it had begun will never be one.
    private func closed(_ connection: Connection) -> Next {
        if !connection.input.isEmpty { core.counters.protocolErrors.add(1, ordering: .relaxed) }
        core.close(connection)
        return .wait
    }

    // MARK: - Into the worker's buffer

    /// Receives what a client sends that is in no debt: mostly one whole frame, which is handled where it lies.
    func receiveFirst(_ connection: Connection, _ buffer: inout SecretBytes) -> Next {
        let count: Int
        do throws(PosixError) {
            guard let received = try connection.socket.receive(into: &buffer) else { return waitAgain(connection) }
            count = received
        } catch {
            // The client is gone.
            return closed(connection)
        }
        guard count > 0 else { return closed(connection) }
        core.counters.bytesIn.add(count, ordering: .relaxed)
        defer { buffer.wipe(first: count) }
        return buffer.withBytes { bytes in
            let bytes = bytes.extracting(first: count)
            guard count >= FrameHeader.size else { return keep(bytes, connection) }
            switch Self.header(bytes) {
            case .success(let header):
                let size = FrameHeader.size + Int(header.length)
                return size <= count ? admit(header, bytes, size, connection) : keep(bytes, connection)
            case .failure(let fault):
                core.refuse(fault.header, fault.reason, connection)
                return waitAgain(connection)
            }
        }
    }

    /// A whole frame is at the start of `bytes`: it runs here, or waits, or is refused.
    private func admit(_ header: FrameHeader, _ bytes: RawSpan, _ size: Int, _ connection: Connection) -> Next {
        let isSlow = core.handler.waitsForToken(header, bytes.extracting(FrameHeader.size..<size))
        let job = ServerCore.Job(connection: connection, header: header, isSlow: isSlow)
        switch core.workers.withLock({ $0.arrived(isSlow: isSlow) }) {
        case .run:
            let rest = bytes.extracting(droppingFirst: size)
            keepRest(rest, connection)
            return run(job, bytes.extracting(first: size))
        case .wait:
            guard store(bytes, connection, header: header) else {
                core.refuse(header, .tooManyBytes, connection)
                return waitAgain(connection)
            }
            return enqueue(job)
        case .busy: return refuse(header, .busy, bytes.extracting(droppingFirst: size), connection)
        case .unavailable: return refuse(header, .unavailable, bytes.extracting(droppingFirst: size), connection)
        case .stopping: return refuse(header, .stopping, RawSpan(), connection)
        }
    }

    private func refuse(
        _ header: FrameHeader, _ reason: Refusal, _ rest: RawSpan, _ connection: Connection
    ) -> Next {
        core.refuse(header, reason, connection)
        keepRest(rest, connection)
        return waitAgain(connection)
    }

    /// Keeps what was sent before its turn; where there is no memory for it, the connection ends after the answer.
    private func keepRest(_ rest: RawSpan, _ connection: Connection) {
        guard !rest.isEmpty, !connection.isClosing, !store(rest, connection) else { return }
        core.counters.count(.tooManyBytes)
        connection.isClosing = true
    }

    /// Keeps a part of a frame.
    private func keep(_ bytes: RawSpan, _ connection: Connection) -> Next {
        if !store(bytes, connection) {
            core.refuse(FrameHeader(length: 0, operation: 0, requestID: 0), .tooManyBytes, connection)
        }
        return waitAgain(connection)
    }

    /// Copies bytes from the worker's buffer to the connection; false if there is no memory for them.
    private func store(_ bytes: RawSpan, _ connection: Connection, header: FrameHeader? = nil) -> Bool {
        guard grow(connection, forMore: bytes.byteCount) else { return false }
        connection.input.append(bytes, header: header)
        return true
    }

    private func grow(_ connection: Connection, forMore more: Int) -> Bool {
        let capacity = connection.input.capacity(forMore: more)
        guard capacity > connection.input.capacity else { return true }
        guard core.reserve(capacity + connection.output.capacity, for: connection) else { return false }
        do throws(SecretMemoryError) {
            try connection.input.grow(to: capacity)
            return true
        } catch {
            Log.shared.error("no memory for a frame: \(error.name): errno \(error.errno)")
            return false
        }
    }

    // MARK: - Into the connection's own memory

    /// Goes on receiving a frame of which something is there.
    private func receiveMore(_ connection: Connection) -> Received {
        var burst = Self.burst
        while true {
            do throws(WireError) {
                try connection.input.readHeader()
            } catch {
                return .refused(connection.input.brokenHeader, .malformed(error))
            }
            if let header = connection.input.header {
                guard header.version == WireLimits.version else { return .refused(header, .protocolMismatch) }
                if connection.input.hasFrame { return .frame(header) }
            }
            guard burst > 0 else { return .part }
            guard grow(connection, forMore: 0) else {
                return .refused(connection.input.header ?? connection.input.brokenHeader, .tooManyBytes)
            }
            do throws(PosixError) {
                guard let count = try connection.input.receive(from: connection.socket) else { return .part }
                guard count > 0 else { return .end }
                core.counters.bytesIn.add(count, ordering: .relaxed)
                burst -= count
            } catch {
                // The client is gone.
                return .end
            }
        }
    }

    /// A whole frame is in the connection's memory.
    private func admit(_ header: FrameHeader, _ connection: Connection) -> Next {
        let isSlow = connection.input.withBody { core.handler.waitsForToken(header, $0) }
        let job = ServerCore.Job(connection: connection, header: header, isSlow: isSlow)
        switch core.workers.withLock({ $0.arrived(isSlow: isSlow) }) {
        case .run:
            connection.inputDeadline = nil
            return runQueued(job)
        case .wait: return enqueue(job)
        case .busy: return refuse(header, .busy, connection)
        case .unavailable: return refuse(header, .unavailable, connection)
        case .stopping: return refuse(header, .stopping, connection)
        }
    }

    /// Lets the frame, which is in the connection's memory, wait for a worker.
    private func enqueue(_ job: ServerCore.Job) -> Next {
        let (header, connection) = (job.header, job.connection)
        connection.inputDeadline = nil
        let deadline = Moment.now + core.settings.requestDeadline
        switch core.workers.withLock({ $0.enqueue(job, deadline: deadline, isSlow: job.isSlow) }) {
        case .run: return runQueued(job)
        // From here on it is whose who takes it from the queue.
        case .wait: return .wait
        case .busy: return refuse(header, .busy, connection)
        case .unavailable: return refuse(header, .unavailable, connection)
        case .stopping: return refuse(header, .stopping, connection)
        }
    }

    /// Refuses the frame that is in the connection's memory, and drops it.
    private func refuse(_ header: FrameHeader, _ reason: Refusal, _ connection: Connection) -> Next {
        core.dropFrame(of: connection)
        core.refuse(header, reason, connection)
        return waitAgain(connection)
    }

    // MARK: - Headers

    private struct Fault: Error {
        let header: FrameHeader
        let reason: Refusal
    }

    private static func header(_ bytes: RawSpan) -> Result<FrameHeader, Fault> {
        do throws(WireError) {
            let header = try FrameHeader(decoding: bytes)
            guard header.version == WireLimits.version else {
                return .failure(Fault(header: header, reason: .protocolMismatch))
            }
            return .success(header)
        } catch {
            return .failure(Fault(header: FrameHeader(malformed: bytes), reason: .malformed(error)))
        }
    }
}
