// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// One client's connection.
///
/// It has one owner at a time, who alone reads, writes and changes it:
/// ```
///   waited for (nobody) --event, which comes once--> a worker --> the queue --> a worker --> waited for …
///                                                       | past the deadline, taken from the worker's turn
///                                                       v
///                                                    the monitor ------------------------> waited for …
/// ```
/// Only `deadline` is everybody's: the last that an owner writes before the connection is waited for, and the first that the
/// worker reads who gets it, so that what one has changed the next one sees.
final class Connection: @unchecked Sendable {
    // @unchecked: one owner at a time, as above; `deadline`, the queue's lock and the turn's lock order one after the other.
    /// A deadline that has passed: whoever gets the connection next closes it.
    static let expired = UInt64.max

    let context: ConnectionContext
    let user: AdmissionState.User
    let socket: UnixSocket
    /// By which its events and the table name it; set once, before it is waited for.
    var token: UInt64 = 0
    var input = FrameInput()
    var output = FrameOutput()
    /// Whether a worker that stays with it looks for its next bytes before it sleeps.
    var eagerness = Eagerness()
    /// Until when the frame that has begun must be whole.
    var inputDeadline: Moment?
    /// Until when the output must be read.
    var outputDeadline: Moment?
    /// Whether it ends when the output is read.
    var isClosing = false
    /// Whether the client is gone, as sending has shown.
    var isBroken = false
    /// Bytes that are counted for it.
    var reserved = 0
    /// Nanoseconds of the moment at which the monitor ends it unless its owner has taken it; 0 if it may wait for ever.
    let deadline = Atomic<UInt64>(0)

    init(socket: consuming UnixSocket, context: ConnectionContext) {
        self.socket = socket
        self.context = context
        user = AdmissionState.User(uid: context.caller.uid, isOwner: context.isOwner)
    }

    /// Whether nothing is left to do for it before the client's next byte.
    var isQuiet: Bool { input.isEmpty && output.isEmpty && !isClosing && !isBroken }

    /// The owner's last step before the connection is waited for: until when, or nil for ever.
    func handOver(_ until: Moment?) {
        deadline.store(until?.nanoseconds ?? 0, ordering: .releasing)
    }

    /// The worker's first step with it: false if its time was over before.
    func take() -> Bool {
        if deadline.load(ordering: .acquiring) == 0 { return true }
        return deadline.exchange(0, ordering: .acquiringAndReleasing) != Self.expired
    }

    /// When it will be past its deadline, as far as that is set.
    var nextDeadline: Moment? {
        let current = deadline.load(ordering: .relaxed)
        return current == 0 || current == Self.expired ? nil : Moment(nanoseconds: current)
    }

    /// The monitor's: true if the deadline has passed and nobody has the connection; who gets it next closes it.
    func expire(_ now: Moment) -> Bool {
        let current = deadline.load(ordering: .relaxed)
        guard current != 0, current != Self.expired, current <= now.nanoseconds else { return false }
        return deadline.compareExchange(
            expected: current, desired: Self.expired, ordering: .acquiringAndReleasing
        ).exchanged
    }
}
