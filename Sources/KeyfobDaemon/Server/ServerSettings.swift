// SPDX-License-Identifier: Apache-2.0

/// How many and how long: what a server allows.
package struct ServerSettings: Hashable, Sendable {
    /// Threads that serve; one of them always reads, and of the others a third runs nothing that may wait for the token.
    ///
    /// At least 2; with fewer than 4 none is kept free of such requests.
    package var workers = 8
    /// Requests that wait for a worker; one more is refused as `.busy`.
    package var queueLimit = 256
    /// Connections at once.
    package var connections = 2048
    /// Connections of one user who is neither the owner nor root.
    package var connectionsOfOneUser = 1024
    /// Connections that others leave for the owner and root.
    package var connectionsForOwner = 64
    /// Bytes of frames that are not complete or wait, and of answers that nobody has read; one user who is neither the
    /// owner nor root may have half of them.
    package var bytesInFlight = 64 << 20
    /// How long a client may take to send a frame that it has begun, and to read an answer.
    package var transferDeadline = Duration.seconds(10)
    /// How long a request may take, from its last byte on; a frame before the answer gives it as long again.
    package var requestDeadline = Duration.seconds(30)
    /// Threads that may hang in a request before requests are refused as `.unavailable`.
    package var writtenOffLimit = 16
    /// How long no connection is accepted when the descriptors have run out.
    package var acceptPause = Duration.milliseconds(100)

    package init() {}
}
