// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobPlatform
internal import Synchronization

/// Lets any number of threads append to the chain: those that come while a write is under way share the next one.
///
/// ```
///   caller ──> nobody leads? ──yes──> leads: writes its line and those that wait by one call, wakes their callers,
///                  │ no                      makes the first of those that came meanwhile the next leader
///                  └──> queue, sleeps ──> woken: written, or leader
/// ```
/// The mutex guards the queue alone; nothing is written under it.
final class AuditWriter: @unchecked Sendable {
    // @unchecked: `chain` belongs to the leader, of whom there is one at a time; the mutex and the semaphores order one
    // leader's use before the next one's.
    private var chain: AuditChain

    private struct State {
        var queue: [AuditTicket] = []
        var hasLeader = false
        var isClosed = false
    }

    /// No write has more lines, so that none waits for ever.
    private static let largestGroup = 128

    private let state = Mutex(State())

    init(_ chain: consuming AuditChain) {
        self.chain = chain
    }

    /// Appends a line with that body; its number.
    ///
    /// - Throws: the fault of the disk, then nothing was written; `ESHUTDOWN` after `close`.
    func append(_ body: [UInt8]) throws(PosixError) -> UInt64 {
        let ticket = AuditTicket(body)
        try enter(ticket)
        if case .waiting = ticket.outcome { lead(ticket) }
        switch ticket.outcome {
        case .written(let sequence): return sequence
        case .failed(let error): throw error
        case .waiting: preconditionFailure("a line is written or has failed")
        }
    }

    /// Lends the chain when no line is being written.
    ///
    /// - Throws: what `body` throws; `ESHUTDOWN` after `close`.
    func exclusively<R: ~Copyable>(_ body: (inout AuditChain) throws(PosixError) -> R) throws(PosixError) -> R {
        try enter(AuditTicket(nil))
        defer { passOn() }
        return try body(&chain)
    }

    /// Waits for the line that is being written; later ones fail.
    func close() {
        state.withLock { $0.isClosed = true }
        let last = AuditTicket(nil)
        guard !mayLead(last) else { return passOn() }
        last.wait()
        passOn()
    }

    // MARK: - Private

    /// Returns when the ticket is settled or its thread leads.
    private func enter(_ ticket: AuditTicket) throws(PosixError) {
        guard !state.withLock({ $0.isClosed }) else { throw PosixError(call: "write", errno: ESHUTDOWN) }
        if !mayLead(ticket) { ticket.wait() }
    }

    private func mayLead(_ ticket: AuditTicket) -> Bool {
        state.withLock { state in
            if state.hasLeader {
                ticket.prepareToWait()
                state.queue.append(ticket)
                return false
            }
            state.hasLeader = true
            return true
        }
    }

    private func lead(_ first: AuditTicket) {
        var group = [first]
        state.withLock { state in
            // One without a line wants the chain for itself.
            let lines = state.queue.prefix(Self.largestGroup - 1).prefix { $0.body != nil }
            group += lines
            state.queue.removeFirst(lines.count)
        }
        do throws(PosixError) {
            let sequence = try chain.append(group.map { $0.body ?? [] })
            for (index, ticket) in group.enumerated() { ticket.settle(.written(sequence + UInt64(index))) }
        } catch {
            for ticket in group { ticket.settle(.failed(error)) }
        }
        for ticket in group.dropFirst() { ticket.wake() }
        passOn()
    }

    private func passOn() {
        let next: AuditTicket? = state.withLock { state in
            guard !state.queue.isEmpty else {
                state.hasLeader = false
                return nil
            }
            return state.queue.removeFirst()
        }
        next?.wake()
    }
}

/// One caller of `AuditWriter`, and how it ended.
@safe final class AuditTicket: @unchecked Sendable {
    // @unchecked: before `wake` only the leader touches it, after that only its caller; queue and semaphore order the two.
    enum Outcome {
        case waiting
        /// With the number of the line.
        case written(UInt64)
        case failed(PosixError)
    }

    /// What is to be written; nil: the caller wants to lead, whatever for.
    let body: [UInt8]?
    private(set) var outcome = Outcome.waiting
    /// Made when it has to wait, which a lone caller never does.
    private var semaphore: UnsafeMutablePointer<sem_t>?

    init(_ body: [UInt8]?) {
        self.body = body
    }

    deinit {
        guard let semaphore = unsafe semaphore else { return }
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func prepareToWait() {
        let made = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        unsafe sem_init(made, 0, 0)
        unsafe semaphore = made
    }

    func settle(_ outcome: Outcome) {
        self.outcome = outcome
    }

    /// Ends the wait: the line is settled, or it is the caller's turn to lead.
    func wake() {
        guard let semaphore = unsafe semaphore else { return }
        unsafe sem_post(semaphore)
    }

    /// Blocks until `wake`.
    func wait() {
        guard let semaphore = unsafe semaphore else { return }
        while unsafe sem_wait(semaphore) != 0 {}
    }
}
