// SPDX-License-Identifier: Apache-2.0
internal import KeyfobEngine
package import KeyfobMemory
package import KeyfobModel
package import KeyfobWire

/// Gives frames their meaning: decodes requests, has them answered, encodes the answers.
package final class ProtocolHandler: FrameHandler {
    private let keychain: KeychainHandler
    private let owner: OwnerRule
    private let meter: Meter
    private let session: @Sendable (Caller) -> CallerSession

    /// - Parameter session: Makes what is kept for a connection.
    init(
        _ keychain: KeychainHandler, owner: OwnerRule, meter: Meter,
        session: @escaping @Sendable (Caller) -> CallerSession
    ) {
        self.keychain = keychain
        self.owner = owner
        self.meter = meter
        self.session = session
    }

    package func isOwner(_ caller: Caller) -> Bool { owner.allows(caller) }

    package func waitsForToken(_ header: FrameHeader, _ body: RawSpan) -> Bool {
        WireRequest.waitsForToken(header, body)
    }

    package func handle(
        _ header: FrameHeader, _ body: RawSpan, _ connection: ConnectionContext,
        progress: (consuming SecretBytes) -> Bool
    ) -> FrameAnswer {
        let request: WireRequest
        do throws(WireError) { request = try WireRequest.decode(header, body) } catch {
            // What follows cannot be trusted to begin where a frame begins.
            return Self.answer(refusal(of: header, .malformed(error)), closes: true)
        }
        let operation = request.operation
        let response = keychain.answer(request, of: session(connection)) { done, total in
            send(.progress(done: done, total: total), header.requestID, progress)
        }
        meter.count(operation, response.errorCode)
        do throws(SecretMemoryError) {
            let frame = try response.encoded(requestID: header.requestID)
            guard frame.count > FrameHeader.size + WireLimits.bodySize else { return .send(frame) }
        } catch {
            return Self.answer(failure(KeychainError(error, .serve), header.requestID), closes: false)
        }
        let fault = "is longer than \(WireLimits.bodySize >> 20) MiB; ask for fewer items at once"
        let error = KeychainError(.invalidParameter, .serve, cause: .format(place: "the answer", fault: fault))
        return Self.answer(failure(error, header.requestID), closes: false)
    }

    package func refusal(of request: FrameHeader, _ reason: Refusal) -> SecretBytes? {
        let error =
            switch reason {
            case .busy: KeychainError(.busy, .serve, remedy: .tryAgain)
            case .timedOut:
                KeychainError(
                    .timedOut, .serve, cause: .format(place: "the token", fault: "did not answer in time"),
                    remedy: .tryAgain)
            case .unavailable:
                KeychainError(
                    .notAvailable, .serve, cause: .format(place: "the token", fault: "does not answer"),
                    remedy: .insertToken)
            case .tooManyConnections:
                KeychainError(
                    .busy, .connect, cause: .format(place: "the daemon", fault: "has too many connections"),
                    remedy: .tryAgain)
            case .tooManyBytes:
                KeychainError(
                    .busy, .serve, cause: .format(place: "the daemon", fault: "holds too many unread bytes"),
                    remedy: .tryAgain)
            case .malformed(let error):
                KeychainError(
                    .messageMalformed, .serve,
                    cause: .format(place: "byte \(error.offset)", fault: error.fault.rawValue), remedy: .updateKeyfob)
            case .protocolMismatch:
                KeychainError(
                    .protocolMismatch, .serve,
                    cause: .format(
                        place: "the program",
                        fault: "speaks version \(request.version), the daemon version \(WireLimits.version)"),
                    remedy: .updateKeyfob)
            case .stopping:
                KeychainError(
                    .daemonNotAnswering, .serve, cause: .format(place: "the daemon", fault: "is stopping"),
                    remedy: .tryAgain)
            }
        return failure(error, request.requestID)
    }

    package func served(_ operation: UInt8, _ duration: Duration, _ outcome: ServedOutcome) {
        meter.took(operation, duration)
    }

    // MARK: - Private

    private func session(_ connection: ConnectionContext) -> CallerSession {
        if let session = connection.cache as? CallerSession { return session }
        let made = session(connection.caller)
        connection.cache = made
        return made
    }

    private func send(
        _ response: consuming WireResponse, _ id: UInt32, _ progress: (consuming SecretBytes) -> Bool
    ) {
        // Without memory for it, nobody learns how far it is; the answer is what counts.
        guard let frame = try? response.encoded(requestID: id) else { return }
        _ = progress(frame)
    }

    private static func answer(_ frame: consuming SecretBytes?, closes: Bool) -> FrameAnswer {
        guard let frame else { return .close }
        return closes ? .sendAndClose(frame) : .send(frame)
    }

    /// Not inlined: the optimizer of Swift 6.3 ends in an assertion when it does that.
    @inline(never)
    private func failure(_ error: KeychainError, _ id: UInt32) -> SecretBytes? {
        // Without memory even for this, closing the connection is what is left.
        try? WireResponse.failure(error).encoded(requestID: id)
    }
}
