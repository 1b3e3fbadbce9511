// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
package import KeyfobPlatform
internal import Synchronization

/// Serves frames on Unix sockets: who connects is known from the kernel, what a frame means its handler knows.
///
/// Workers wait together for the clients; who gets one reads its frame, has it handled and sends the answer. One more
/// thread accepts connections and keeps the deadlines. All threads block every signal.
package final class Server: Sendable {
    /// Descriptors that are kept for everything but connections.
    private static let otherDescriptors = 128

    private enum Phase {
        case made([Listener])
        case running(OwnThread)
        case stopped
    }

    private let core: ServerCore
    private let crew: Crew
    private let monitor: Monitor
    private let phase = Mutex(Phase.made([]))

    /// A server that does not serve yet.
    ///
    /// Raises the process's limit of descriptors to what the connections need; where that is not allowed, fewer
    /// connections are.
    ///
    /// - Throws: `.inputOutput` if the kernel gives no descriptors.
    package init(_ handler: any FrameHandler, _ settings: ServerSettings = ServerSettings()) throws(KeychainError) {
        var settings = settings
        let descriptors = DescriptorLimit.raise(to: settings.connections + Self.otherDescriptors)
        if descriptors < settings.connections + Self.otherDescriptors {
            settings.connections = max(descriptors - Self.otherDescriptors, 1)
            settings.connectionsForOwner = min(settings.connectionsForOwner, settings.connections / 2)
            Log.shared.warning("only \(settings.connections) connections: the limit of open files is \(descriptors)")
        }
        do throws(PosixError) {
            core = try ServerCore(handler, settings)
            crew = Crew(core)
            monitor = try Monitor(core, crew)
        } catch {
            throw KeychainError(.inputOutput, .serve, cause: .posix(call: error.call, errno: error.errno))
        }
    }

    /// Serves on this socket too; before `start` only.
    package func listen(on socket: consuming ListeningSocket) {
        let listener = Listener(socket)
        phase.withLock { phase in
            guard case .made(let listeners) = phase else { preconditionFailure("the server has been started") }
            phase = .made(listeners + [listener])
        }
    }

    /// Begins to serve, and returns; once.
    ///
    /// `stop` must follow.
    ///
    /// - Throws: `.outOfMemory`, `.memoryNotLocked` and `.inputOutput` if there is no memory or no thread; then the
    ///   sockets are closed, and nothing runs.
    package func start() throws(KeychainError) {
        phase.withLock { phase in
            guard case .made(let listeners) = phase else { preconditionFailure("the server has been started") }
            phase = .stopped
            // Nobody but the monitor keeps them, so that they close when it stops.
            monitor.listen(on: listeners)
        }
        do throws(SecretMemoryError) {
            // Each thread will want as much.
            _ = try SecretBytes(count: Worker.bufferSize)
        } catch {
            monitor.listen(on: [])
            throw KeychainError(error, .serve)
        }
        do throws(PosixError) {
            let thread = try OwnThread("keyfobd-watch") { self.monitor.run() }
            for _ in 0..<core.workers.withLock({ $0.live }) { crew.hire() }
            phase.withLock { $0 = .running(thread) }
        } catch {
            monitor.listen(on: [])
            throw KeychainError(.inputOutput, .serve, cause: .posix(call: error.call, errno: error.errno))
        }
    }

    /// Ends: no more connections; requests that run or wait are answered, by their handler within `grace` and then as
    /// `.stopping`; every thread that does not hang has ended, and every connection is closed, when this returns.
    ///
    /// Once.
    package func stop(grace: Duration) {
        let thread = phase.withLock { phase -> OwnThread? in
            defer { phase = .stopped }
            if case .running(let thread) = phase { return thread }
            return nil
        }
        guard let thread else { return }
        let end = Moment.now + grace
        core.workers.withLock { $0.stop() }
        monitor.stop(by: end)
        core.stopping.signal()
        _ = core.over.wait(nil)
        monitor.end()
        thread.join()
        crew.disband()
        hangUp(by: end)
    }

    /// What the server has done and does.
    package var counts: ServerCounts {
        var counts = core.counters.snapshot
        core.admission.withLock { state in
            counts.connections = state.connections
            counts.bytesInFlight = state.bytes
        }
        core.workers.withLock { state in
            counts.running = state.running
            counts.queued = state.queued
            counts.writtenOff = state.writtenOff
        }
        return counts
    }

    /// Lets clients read their answers for as long as there is time, and closes every connection.
    ///
    /// No thread is left.
    private func hangUp(by end: Moment) {
        for connection in core.table.withLock({ $0.all }) {
            while !connection.output.isEmpty, !core.flush(connection), Moment.now < end {
                connection.socket.waitForRoom(Moment.now.duration(to: end))
            }
            core.close(connection)
        }
    }
}
