// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// A keychain that a daemon has open, reached over its socket.
///
/// Every call blocks until the answer is there, at most a minute without a sign of life; calls of several threads run
/// side by side, each on a connection of its own. A daemon that was restarted is connected to again. A request that
/// changes something is never sent twice.
package final class DaemonClient: Sendable {
    private let pool: ConnectionPool
    private let requests = Atomic<UInt32>(0)

    /// A client of the daemon at one of the sockets, the first that answers; connects when it is first used.
    package init(sockets: [String]) {
        pool = ConnectionPool(sockets)
    }

    /// The daemon that this process is to use if one answers now, or nil.
    ///
    /// - Throws: `.permissions` if one is there that this user may not use.
    package static func reach(_ sockets: [String] = DaemonSocket.candidates) throws(KeychainError) -> DaemonClient? {
        let client = DaemonClient(sockets: sockets)
        do throws(KeychainError) {
            client.pool.giveBack(try client.pool.take())
            return client
        } catch {
            guard error.code == .daemonNotAnswering else { throw error }
            return nil
        }
    }

    /// The path of the daemon's socket.
    package var socket: String { pool.path }

    /// Sends a request and decodes its answer; `progress` gets what comes before it.
    ///
    /// - Parameters:
    ///   - operation: for errors of the way there.
    ///   - isRepeatable: whether the request may be sent again if the daemon went away without an answer.
    func ask(
        _ operation: KeychainError.Operation, isRepeatable: Bool, _ request: consuming WireRequest,
        progress: (Int, Int) -> Void = { _, _ in }
    ) throws(KeychainError) -> WireResponse {
        let id = requests.add(1, ordering: .relaxed).newValue
        do throws(DaemonConnection.Break) {
            do throws(DaemonConnection.Break) {
                return try exchange(
                    try frame(request, id, operation), id, try connection(mayBeStale: isRepeatable), progress)
            } catch {
                guard isRepeatable, case .unanswered = error else { throw error }
                return try exchange(try frame(request, id, operation), id, try connection(fresh: true), progress)
            }
        } catch {
            throw failure(error, operation, isRepeatable: isRepeatable)
        }
    }

    private func connection(
        fresh: Bool = false, mayBeStale: Bool = false
    ) throws(DaemonConnection.Break) -> DaemonConnection {
        do throws(KeychainError) { return try pool.take(fresh: fresh, mayBeStale: mayBeStale) } catch {
            throw .failed(error)
        }
    }

    /// A frame for one sending, which wipes it.
    private func frame(
        _ request: borrowing WireRequest, _ id: UInt32, _ operation: KeychainError.Operation
    ) throws(DaemonConnection.Break) -> SecretBytes {
        do throws(SecretMemoryError) { return try request.encoded(requestID: id) } catch {
            throw .failed(KeychainError(error, operation))
        }
    }

    private func exchange(
        _ frame: consuming SecretBytes, _ id: UInt32, _ connection: DaemonConnection, _ progress: (Int, Int) -> Void
    ) throws(DaemonConnection.Break) -> WireResponse {
        var broken: DaemonConnection.Break?
        // A daemon that turns a connection away says why and closes without reading: the reason is there all the same.
        do throws(DaemonConnection.Break) { try connection.send(frame) } catch {
            guard case .unanswered = error else { throw error }
            broken = error
        }
        while true {
            let answer: DaemonConnection.Frame
            do throws(DaemonConnection.Break) { answer = try connection.receive() } catch { throw broken ?? error }
            let header = answer.header
            guard header.requestID == id || header.requestID == 0 else {
                throw .failed(connection.malformed(WireError(at: 8, .badValue)))
            }
            let response: WireResponse
            do throws(WireError) {
                response = try answer.bytes.withBytes { (bytes) throws(WireError) in
                    try WireResponse.decode(header, bytes.extracting(droppingFirst: FrameHeader.size))
                }
            } catch {
                throw .failed(connection.malformed(error))
            }
            switch consume response {
            case .progress(let done, let total): progress(done, total)
            case .failure(let error):
                pool.giveBack(connection)
                throw .failed(error)
            case let final:
                pool.giveBack(connection)
                return final
            }
        }
    }

    private func failure(
        _ error: DaemonConnection.Break, _ operation: KeychainError.Operation, isRepeatable: Bool
    ) -> KeychainError {
        switch error {
        case .failed(let error): error
        case .unanswered(let error):
            KeychainError(
                .daemonNotAnswering, operation, subject: .daemon(socket),
                cause: isRepeatable
                    ? .posix(call: error.call, errno: error.errno)
                    : .format(place: "the daemon", fault: "went away; look whether the change was made"),
                remedy: .startDaemon)
        }
    }

    /// The error for an answer that does not fit its request.
    func misfit(_ operation: KeychainError.Operation) -> KeychainError {
        KeychainError(.messageMalformed, operation, subject: .daemon(socket), remedy: .updateKeyfob)
    }
}
