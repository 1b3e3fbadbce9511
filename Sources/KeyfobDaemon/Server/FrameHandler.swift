// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
package import KeyfobWire

/// What gives the frames that a `Server` receives their meaning.
///
/// Every function may be called from many threads at once.
package protocol FrameHandler: AnyObject, Sendable {
    /// Whether the limits of one user do not bind this one; asked once a connection, must not block. Root is never asked.
    func isOwner(_ caller: Caller) -> Bool

    /// Whether the answer may have to wait for the token: such requests leave some workers to the others.
    ///
    /// Asked before `handle`, with the same body; must not block.
    func waitsForToken(_ header: FrameHeader, _ body: RawSpan) -> Bool

    /// Answers a request; may block, for as long as the server's request deadline says.
    ///
    /// - Parameters:
    ///   - header: Its version is the one that this build speaks.
    ///   - body: `header.length` bytes, wiped afterwards.
    ///   - connection: Who asks. Requests of one connection come one at a time, except that one which was answered
    ///     without the handler because it took too long may still run beside the next.
    ///   - progress: Sends a whole frame before the answer, and gives the request its full time again. The frame is dropped
    ///     if the client does not read. False if nobody waits for the answer any more.
    func handle(
        _ header: FrameHeader, _ body: RawSpan, _ connection: ConnectionContext,
        progress: (consuming SecretBytes) -> Bool
    ) -> FrameAnswer

    /// The whole frame that tells a client why a request is not answered; nil only closes. Must not block.
    ///
    /// Where there is no request to refuse, `request` has the id 0.
    func refusal(of request: FrameHeader, _ reason: Refusal) -> SecretBytes?

    /// Told after each request: what was asked for, how long the handler took, and what became of it. Must not block.
    func served(_ operation: UInt8, _ duration: Duration, _ outcome: ServedOutcome)
}

/// What a handler answers: whole frames.
package enum FrameAnswer: ~Copyable, Sendable {
    case send(SecretBytes)
    /// The connection ends when the client has read it.
    case sendAndClose(SecretBytes)
    case close
}

/// Why the server does not pass a request on.
package enum Refusal: Hashable, Sendable {
    /// As many requests wait as may.
    case busy
    /// The handler took too long.
    case timedOut
    /// Too many requests hang.
    case unavailable
    /// The user has, or all users have, as many connections as they may. Closes the connection.
    case tooManyConnections
    /// The frame, or the answer, needs more memory than there is for the user now. Closes the connection.
    case tooManyBytes
    /// What was sent is no frame. Closes the connection.
    case malformed(WireError)
    /// The frame is of another version than this build speaks. Closes the connection.
    case protocolMismatch
    /// The server ends. Closes the connection.
    case stopping

    /// Whether the client may go on using the connection.
    var keepsConnection: Bool {
        switch self {
        case .busy, .timedOut, .unavailable: true
        case .tooManyConnections, .tooManyBytes, .malformed, .protocolMismatch, .stopping: false
        }
    }
}

/// What became of a request that a handler was given.
package enum ServedOutcome: Hashable, Sendable {
    case answered
    /// The server answered in the handler's place, which took too long.
    case timedOut
}
