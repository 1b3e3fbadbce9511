// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Where a token is now and how its module reads AES-GCM: what opening a session takes; and who may open one.
///
/// A token that was pulled and inserted may come back in another slot.
final class TokenPlace: Sendable {
    private struct State {
        var slot: SlotID
        var gcm = GCMVariant.withIVBits
        /// Read-only sessions that are open or being opened.
        var readers = 0
        /// Whether only the security officer's session may be opened.
        var isReserved = false
        /// Whoever waits until there are no readers.
        var waiter: Waiter<Void>?
    }

    private let now: Mutex<State>

    init(slot: SlotID) {
        now = Mutex(State(slot: slot))
    }

    var slot: SlotID { now.withLock { $0.slot } }

    var gcm: GCMVariant { now.withLock { $0.gcm } }

    func moved(to slot: SlotID) {
        now.withLock { $0.slot = slot }
    }

    func reads(_ gcm: GCMVariant) {
        now.withLock { $0.gcm = gcm }
    }

    /// What the token says about itself now; `.replaced` if it is another.
    func info(_ line: Line) throws(PKCS11Error) -> TokenInfo {
        let info = try TokenInfo.ask(line, slot)
        guard info.identity == line.token else { throw line.error(.replaced(by: info.identity)) }
        return info
    }

    /// Opens a session, and makes sure that it is with the right token: a PIN must not go to another.
    ///
    /// - Parameter holdsReservation: whether it is for whom the token is reserved.
    /// - Throws: `.reserved` if the token is, for somebody else.
    func open(_ line: Line, readWrite: Bool, holdsReservation: Bool = false) throws(PKCS11Error) -> SessionBox {
        let (slot, gcm, mayOpen) = now.withLock { state in
            let mayOpen = holdsReservation || !state.isReserved
            if mayOpen && !readWrite { state.readers += 1 }
            return (state.slot, state.gcm, mayOpen)
        }
        guard mayOpen else { throw line.error(.reserved) }
        let box: SessionBox
        do throws(PKCS11Error) {
            box = try SessionBox.open(line, slot, readWrite: readWrite, gcm: gcm, at: self)
        } catch {
            if !readWrite { readerClosed() }
            throw error
        }
        _ = try info(line)
        return box
    }

    // MARK: - Reservation

    /// Keeps others from opening sessions; those that are open stay.
    ///
    /// - Throws: `.reserved` if it is already.
    func reserve(_ line: Line) throws(PKCS11Error) {
        let isFree = now.withLock { state in
            defer { state.isReserved = true }
            return !state.isReserved
        }
        guard isFree else { throw line.error(.reserved) }
    }

    /// Ends the reservation.
    func release() {
        now.withLock { $0.isReserved = false }
    }

    /// Blocks until no read-only session is open; called by whoever reserved.
    ///
    /// - Throws: `.timedOut` if there still is one at the deadline.
    func waitForReaders(_ line: Line, until deadline: MonotonicTime) throws(PKCS11Error) {
        let waiter = now.withLock { state -> Waiter<Void>? in
            guard state.readers > 0 else { return nil }
            let waiter = Waiter<Void>()
            state.waiter = waiter
            return waiter
        }
        guard let waiter, waiter.wait(until: deadline) == nil else { return }
        // The last one may have gone at the last moment.
        let isFree = now.withLock { state in
            state.waiter = nil
            return state.readers == 0
        }
        guard isFree else { throw line.error(.timedOut) }
    }

    /// A read-only session is closed, or could not be opened.
    func readerClosed() {
        let waiter = now.withLock { state -> Waiter<Void>? in
            state.readers -= 1
            guard state.readers == 0 else { return nil }
            return state.waiter.take()
        }
        waiter?.resume(())
    }
}
