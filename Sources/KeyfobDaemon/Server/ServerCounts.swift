// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What a server has done since it was made, and what it has to do now.
package struct ServerCounts: Hashable, Sendable {
    /// Connections that were accepted and let in.
    package var accepted = 0
    /// Connections that a limit turned away.
    package var refused = 0
    /// Requests that a handler was given.
    package var requests = 0
    /// Requests that were refused because too many waited.
    package var busy = 0
    /// Requests that were refused because too many threads hang.
    package var unavailable = 0
    /// Requests that were answered in the place of their handler.
    package var timedOut = 0
    /// Connections that were ended because a frame, or the reading of an answer, took too long.
    package var slow = 0
    /// Connections that sent what is no frame, or a frame of another version.
    package var protocolErrors = 0
    /// Connections that needed more memory than they may have.
    package var tooManyBytes = 0
    /// Pauses in accepting, because there were no descriptors.
    package var acceptPauses = 0
    package var bytesIn = 0
    package var bytesOut = 0
    /// Connections now.
    package var connections = 0
    /// Bytes now of frames that are not complete or wait, and of answers that nobody has read.
    package var bytesInFlight = 0
    /// Requests that run now.
    package var running = 0
    /// Requests that wait now.
    package var queued = 0
    /// Threads that hang now in a request which was answered without them.
    package var writtenOff = 0

    package init() {}
}

/// The numbers of `ServerCounts` that only grow.
final class ServerCounters: Sendable {
    let accepted = Atomic<Int>(0)
    let refused = Atomic<Int>(0)
    let requests = Atomic<Int>(0)
    let busy = Atomic<Int>(0)
    let unavailable = Atomic<Int>(0)
    let timedOut = Atomic<Int>(0)
    let slow = Atomic<Int>(0)
    let protocolErrors = Atomic<Int>(0)
    let tooManyBytes = Atomic<Int>(0)
    let acceptPauses = Atomic<Int>(0)
    let bytesIn = Atomic<Int>(0)
    let bytesOut = Atomic<Int>(0)

    /// Counts a refusal.
    func count(_ reason: Refusal) {
        switch reason {
        case .busy: busy.add(1, ordering: .relaxed)
        case .timedOut: timedOut.add(1, ordering: .relaxed)
        case .unavailable: unavailable.add(1, ordering: .relaxed)
        case .tooManyConnections: refused.add(1, ordering: .relaxed)
        case .tooManyBytes: tooManyBytes.add(1, ordering: .relaxed)
        case .malformed, .protocolMismatch: protocolErrors.add(1, ordering: .relaxed)
        // Not the client's doing, and once a connection at most.
        case .stopping: break
        }
    }

    /// The numbers now.
    var snapshot: ServerCounts {
        var counts = ServerCounts()
        counts.accepted = accepted.load(ordering: .relaxed)
        counts.refused = refused.load(ordering: .relaxed)
        counts.requests = requests.load(ordering: .relaxed)
        counts.busy = busy.load(ordering: .relaxed)
        counts.unavailable = unavailable.load(ordering: .relaxed)
        counts.timedOut = timedOut.load(ordering: .relaxed)
        counts.slow = slow.load(ordering: .relaxed)
        counts.protocolErrors = protocolErrors.load(ordering: .relaxed)
        counts.tooManyBytes = tooManyBytes.load(ordering: .relaxed)
        counts.acceptPauses = acceptPauses.load(ordering: .relaxed)
        counts.bytesIn = bytesIn.load(ordering: .relaxed)
        counts.bytesOut = bytesOut.load(ordering: .relaxed)
        return counts
    }
}
