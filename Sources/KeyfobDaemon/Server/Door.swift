// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// A listening socket that is handed from thread to thread.
final class Listener: Sendable {
    let socket: ListeningSocket

    init(_ socket: consuming ListeningSocket) {
        self.socket = socket
    }
}

/// Accepts connections for the monitor, and stops for a while when there are no descriptors.
struct Door {
    /// Connections that are accepted from one socket before anything else is looked at.
    private static let burst = 64

    private let core: ServerCore
    private var nextID: UInt64 = 1
    private var isOpen = false
    /// When to `open` again.
    private(set) var pausedUntil: Moment?

    init(core: ServerCore) {
        self.core = core
    }

    /// Begins to wait for connections; the token of a socket is its index.
    mutating func open(_ listeners: [Listener], _ queue: borrowing EventQueue) {
        pausedUntil = nil
        isOpen = true
        do throws(PosixError) {
            for (index, listener) in listeners.enumerated() {
                try queue.add(listener.socket.descriptor, [.readable], token: UInt64(index))
            }
        } catch {
            pause(error, listeners, queue)
        }
    }

    /// Waits for connections no longer.
    mutating func close(_ listeners: [Listener], _ queue: borrowing EventQueue) {
        pausedUntil = nil
        guard isOpen else { return }
        isOpen = false
        for listener in listeners {
            // One that was never added need not be removed.
            try? queue.remove(listener.socket.descriptor)
        }
    }

    /// Lets in those that have connected.
    mutating func accept(_ listener: Listener, _ listeners: [Listener], _ queue: borrowing EventQueue) {
        guard isOpen else { return }
        do throws(PosixError) {
            for _ in 0..<Self.burst {
                guard let socket = try listener.socket.accept() else { return }
                try admit(socket)
            }
        } catch {
            pause(error, listeners, queue)
        }
    }

    private mutating func pause(_ error: PosixError, _ listeners: [Listener], _ queue: borrowing EventQueue) {
        core.counters.acceptPauses.add(1, ordering: .relaxed)
        Log.shared.warning("no connection is accepted for a moment: \(error.call): errno \(error.errno)")
        close(listeners, queue)
        pausedUntil = .now + core.settings.acceptPause
    }

    private mutating func admit(_ socket: consuming UnixSocket) throws(PosixError) {
        let caller = try Caller.peer(of: socket)
        let isOwner = caller.uid == 0 || core.handler.isOwner(caller)
        let context = ConnectionContext(id: nextID, caller: caller, isOwner: isOwner)
        nextID += 1
        let connection = Connection(socket: socket, context: context)
        guard core.admission.withLock({ $0.connect(connection.user) }) else {
            return core.refuse(
                FrameHeader(length: 0, operation: 0, requestID: 0), .tooManyConnections, connection)
        }
        core.counters.accepted.add(1, ordering: .relaxed)
        core.table.withLock { $0.insert(connection) }
        do throws(PosixError) {
            try core.events.add(connection.socket.descriptor, [.readable, .once], token: connection.token)
        } catch {
            core.close(connection)
            throw error
        }
    }
}
