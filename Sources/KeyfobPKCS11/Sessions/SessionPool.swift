// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Lends the read-only sessions of a token, each to one user at a time.
///
/// `SessionPoolState` decides; this carries out, outside the lock.
final class SessionPool: Sendable {
    fileprivate struct Guarded {
        var state: SessionPoolState
        var boxes: [SessionPoolState.SessionID: SessionBox] = [:]
        var waiters: [SessionPoolState.RequesterID: Waiter<SessionPoolState.Answer>] = [:]
        var nextRequester = 0
    }

    /// A session on loan.
    struct Loan {
        let id: SessionPoolState.SessionID
        let box: SessionBox
    }

    private let guarded: Mutex<Guarded>
    private let open: @Sendable () throws(PKCS11Error) -> SessionBox

    init(limit: Int, patience: Duration, open: @escaping @Sendable () throws(PKCS11Error) -> SessionBox) {
        let state = SessionPoolState(limit: limit, patience: MonotonicTime.nanoseconds(patience))
        guarded = Mutex(Guarded(state: state))
        self.open = open
    }

    /// A session for the caller alone, who must `giveBack` it.
    ///
    /// Blocks while all sessions are lent; past the deadline it throws `.timedOut`.
    func lease(deadline: MonotonicTime?) throws(PKCS11Error) -> Loan {
        let now = MonotonicTime.now.nanoseconds
        let (answer, requester, box, waiter) = guarded.withLock { guarded in
            let requester = guarded.nextRequester
            guarded.nextRequester &+= 1
            let answer = guarded.state.request(requester, now: now)
            var waiter: Waiter<SessionPoolState.Answer>?
            if answer == .wait {
                let made = Waiter<SessionPoolState.Answer>()
                guarded.waiters[requester] = made
                waiter = made
            }
            return (answer, requester, guarded.box(answer), waiter)
        }
        return try settle(answer, requester, box, waiter, deadline)
    }

    /// Ends a loan.
    func giveBack(_ loan: Loan) {
        let fault = loan.box.fault
        let now = MonotonicTime.now.nanoseconds
        var actions = guarded.withLock { $0.state.giveBack(loan.id, spoiled: fault != nil, now: now) }
        if let fault, fault.endsAllSessions {
            perform(actions)
            actions = guarded.withLock { $0.state.drop(now: now) }
        }
        perform(actions)
    }

    /// Closes the idle sessions now and the lent ones when they come back.
    func drop() {
        let now = MonotonicTime.now.nanoseconds
        perform(guarded.withLock { $0.state.drop(now: now) })
    }

    /// Sessions that are open, without those that hang.
    var count: Int { guarded.withLock { $0.state.count } }

    /// How many sessions there may be.
    var limit: Int { guarded.withLock { $0.state.limit } }

    /// Whether one session would be left to others, and none of them waits, if one more were lent.
    var hasSpare: Bool { guarded.withLock { $0.state.hasSpare } }

    // MARK: - Private

    private func settle(
        _ answer: SessionPoolState.Answer, _ requester: SessionPoolState.RequesterID, _ box: SessionBox?,
        _ waiter: Waiter<SessionPoolState.Answer>?, _ deadline: MonotonicTime?
    ) throws(PKCS11Error) -> Loan {
        switch answer {
        case .lease(let id):
            guard let box else { throw PKCS11Error(.malformed("a leased session does not exist")) }
            return Loan(id: id, box: box)
        case .open:
            return try openSession(requester, deadline)
        case .wait:
            guard let waiter else { throw PKCS11Error(.malformed("a wait without a waiter")) }
            let answer = try self.wait(waiter, requester, deadline)
            let box = guarded.withLock { $0.box(answer) }
            return try settle(answer, requester, box, nil, deadline)
        }
    }

    private func wait(
        _ waiter: Waiter<SessionPoolState.Answer>, _ requester: SessionPoolState.RequesterID,
        _ deadline: MonotonicTime?
    ) throws(PKCS11Error) -> SessionPoolState.Answer {
        guard let deadline else { return waiter.wait() }
        if let answer = waiter.wait(until: deadline) { return answer }
        let gaveUp = guarded.withLock { guarded in
            let gaveUp = guarded.state.giveUp(requester)
            if gaveUp { guarded.waiters[requester] = nil }
            return gaveUp
        }
        if gaveUp { throw PKCS11Error(.timedOut) }
        // It was answered at the last moment, so the answer is there or on its way.
        return waiter.wait()
    }

    private func openSession(
        _ requester: SessionPoolState.RequesterID, _ deadline: MonotonicTime?
    ) throws(PKCS11Error) -> Loan {
        let box: SessionBox
        do throws(PKCS11Error) { box = try open() } catch {
            return try settleFailure(error, requester, deadline)
        }
        let now = MonotonicTime.now.nanoseconds
        let (id, actions) = guarded.withLock { guarded in
            let (id, actions) = guarded.state.opened(now: now)
            guarded.boxes[id] = box
            return (id, actions)
        }
        perform(actions)
        return Loan(id: id, box: box)
    }

    /// A session could not be opened: the requester waits for another's if the token has no room for more.
    ///
    /// Not inlined: the optimiser of Swift 6.3 fails on this body inside a `catch` with a typed error.
    @inline(never)
    private func settleFailure(
        _ error: PKCS11Error, _ requester: SessionPoolState.RequesterID, _ deadline: MonotonicTime?
    ) throws(PKCS11Error) -> Loan {
        let exhausted = error.returnValue == .sessionCount
        let now = MonotonicTime.now.nanoseconds
        let (answer, actions, leased, waiter) = guarded.withLock { guarded in
            let (answer, actions) = guarded.state.openFailed(requester, exhausted: exhausted, now: now)
            var waiter: Waiter<SessionPoolState.Answer>?
            if answer == .wait {
                let made = Waiter<SessionPoolState.Answer>()
                guarded.waiters[requester] = made
                waiter = made
            }
            return (answer, actions, answer.flatMap { guarded.box($0) }, waiter)
        }
        perform(actions)
        guard let answer else { throw error }
        return try settle(answer, requester, leased, waiter, deadline)
    }

    private func perform(_ first: SessionPoolState.Actions) {
        var actions = first
        while true {
            let (closing, resumed) = guarded.withLock { guarded in
                let closing = actions.close.compactMap { guarded.boxes.removeValue(forKey: $0) }
                let resumed = actions.resume.compactMap { requester, answer in
                    guarded.waiters.removeValue(forKey: requester).map { ($0, answer) }
                }
                return (closing, resumed)
            }
            for (waiter, answer) in resumed { waiter.resume(answer) }
            guard !actions.close.isEmpty else { return }
            for box in closing { box.close() }
            let now = MonotonicTime.now.nanoseconds
            actions = guarded.withLock { $0.state.closed(now: now) }
        }
    }
}

extension SessionPool.Guarded {
    fileprivate func box(_ answer: SessionPoolState.Answer) -> SessionBox? {
        guard case .lease(let id) = answer else { return nil }
        return boxes[id]
    }
}
