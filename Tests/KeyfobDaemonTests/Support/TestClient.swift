// SPDX-License-Identifier: Apache-2.0
import KeyfobDaemon
import KeyfobMemory
import KeyfobModel
import KeyfobPlatform
import KeyfobTestSupport
import KeyfobWire

/// A client that says what it is told to, frames or not.
final class TestClient: Sendable {
    /// What a server said.
    enum Answer: Equatable {
        case frame(operation: UInt8, id: UInt32, body: [UInt8])
        /// The connection has ended.
        case end
        /// Nothing came for two minutes.
        case silence

        /// A refusal.
        static func refused(_ reason: Refusal, id: UInt32 = 1) -> Answer {
            .frame(operation: EchoHandler.refusal, id: id, body: [EchoHandler.number(reason)])
        }

        /// What `EchoHandler` answers.
        static func answered(_ operation: EchoHandler.Operation, _ body: [UInt8] = [], id: UInt32 = 1) -> Answer {
            .frame(operation: operation.rawValue, id: id, body: body)
        }
    }

    let socket: UnixSocket

    init(_ path: String) throws {
        socket = try UnixSocket.connect(path, timeout: .seconds(120))
    }

    /// Sends bytes; false if the server is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        // The answer, or its absence, is what a test looks at.
        unsafe (try? socket.send(bytes.span.bytes)) != nil
    }

    /// The next frame, or how the connection ended.
    func receive() throws -> Answer {
        guard let start = try receive(FrameHeader.size) else { return .silence }
        guard start.count == FrameHeader.size else { return .end }
        let header = unsafe try FrameHeader(decoding: start.span.bytes)
        guard let body = try receive(Int(header.length)) else { return .silence }
        return .frame(operation: header.operation, id: header.requestID, body: body)
    }

    /// Sends a frame and waits for the answer.
    func ask(_ operation: EchoHandler.Operation, _ body: [UInt8] = [], id: UInt32 = 1) throws -> Answer {
        send(bytes(operation, id, body))
        return try receive()
    }

    /// As many bytes, or fewer if the connection ends, or nil if nothing comes.
    private func receive(_ count: Int) throws -> [UInt8]? {
        guard count > 0 else { return [] }
        var buffer = try SecretBytes(count: count)
        var received = 0
        while received < count {
            do throws(PosixError) {
                guard let more = try socket.receive(into: &buffer, at: received) else { return nil }
                if more == 0 { break }
                received += more
            } catch {
                break
            }
        }
        return buffer.withBytes { $0.extracting(first: received).array }
    }
}
