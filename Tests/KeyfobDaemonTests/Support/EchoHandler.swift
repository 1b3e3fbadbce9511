// SPDX-License-Identifier: Apache-2.0
import Dispatch
import KeyfobDaemon
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire
import Synchronization

/// A handler whose operations are what tests of a server need.
final class EchoHandler: FrameHandler {
    /// What a frame asks for.
    enum Operation: UInt8 {
        /// The same body.
        case echo = 1
        /// The same body, once `gate` lets it pass.
        case hang = 2
        /// As many bytes as the body's four first bytes say.
        case big = 3
        /// As many frames of the operation `progress` as the body's first byte says, then the same body.
        case progress = 4
        case close = 5
        case sendAndClose = 6
        /// The uid of the caller, as text.
        case identity = 7
        /// How often this was asked on the connection, as one byte.
        case count = 8
        /// Frames of the operation `progress` until nobody listens; then `gate` is passed.
        case talk = 9
        /// As `hang`, and counts as one that may wait for the token.
        case token = 10
    }

    /// The operation of a refusal; its body is one byte, the reason.
    static let refusal: UInt8 = 0xF0

    private final class Count: Sendable {
        let value = Atomic<UInt8>(0)
    }

    let gate = Gate()
    let owners: Set<UInt32>
    private let outcomes = Mutex<[ServedOutcome]>([])

    init(owners: Set<UInt32> = []) {
        self.owners = owners
    }

    /// What became of the requests so far.
    var served: [ServedOutcome] { outcomes.withLock { $0 } }

    func isOwner(_ caller: Caller) -> Bool { owners.contains(caller.uid) }

    func waitsForToken(_ header: FrameHeader, _ body: RawSpan) -> Bool {
        header.operation == Operation.token.rawValue
    }

    func handle(
        _ header: FrameHeader, _ body: RawSpan, _ connection: ConnectionContext,
        progress: (consuming SecretBytes) -> Bool
    ) -> FrameAnswer {
        let id = header.requestID
        switch Operation(rawValue: header.operation) {
        case .echo: return .send(frame(header.operation, id, body.array))
        case .hang, .token:
            gate.pass()
            return .send(frame(header.operation, id, body.array))
        case .big:
            let size = body.array.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            return .send(frame(header.operation, id, [UInt8](repeating: 7, count: size)))
        case .progress:
            for number in 0..<(body.array.first ?? 0) {
                guard progress(frame(header.operation, id, [number])) else { return .close }
            }
            return .send(frame(Operation.echo.rawValue, id, body.array))
        case .close: return .close
        case .sendAndClose: return .sendAndClose(frame(header.operation, id, body.array))
        case .identity: return .send(frame(header.operation, id, Array("\(connection.caller.uid)".utf8)))
        case .count:
            let count = connection.cache as? Count ?? Count()
            connection.cache = count
            return .send(frame(header.operation, id, [count.value.add(1, ordering: .relaxed).newValue]))
        case .talk:
            let big = [UInt8](repeating: 1, count: 1000)
            while progress(frame(header.operation, id, big)) {}
            gate.pass()
            return .send(frame(header.operation, id, []))
        case .none: return .close
        }
    }

    func refusal(of request: FrameHeader, _ reason: Refusal) -> SecretBytes? {
        frame(Self.refusal, request.requestID, [Self.number(reason)])
    }

    func served(_ operation: UInt8, _ duration: Duration, _ outcome: ServedOutcome) {
        outcomes.withLock { $0.append(outcome) }
    }

    /// The body of a refusal.
    static func number(_ reason: Refusal) -> UInt8 {
        switch reason {
        case .busy: 1
        case .timedOut: 2
        case .unavailable: 3
        case .tooManyConnections: 4
        case .tooManyBytes: 5
        case .malformed: 6
        case .protocolMismatch: 7
        case .stopping: 8
        }
    }
}

/// A whole frame.
func frame(_ operation: UInt8, _ id: UInt32, _ body: [UInt8]) -> SecretBytes {
    let header = FrameHeader(length: UInt32(body.count), operation: operation, requestID: id)
    do {
        return try SecretBytes(copying: header.encoded + body)
    } catch {
        fatalError("no memory for a frame: \(error)")
    }
}

/// The bytes of a frame.
func bytes(_ operation: EchoHandler.Operation, _ id: UInt32 = 1, _ body: [UInt8] = []) -> [UInt8] {
    FrameHeader(length: UInt32(body.count), operation: operation.rawValue, requestID: id).encoded + body
}
