// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import KeyfobModel

/// One caller of `ItemStore.write`: its body, and how it ended.
///
/// The caller's thread makes it and waits; the leader's thread runs it, perhaps more than once.
@safe final class WriteJob: @unchecked Sendable {
    // @unchecked: before `finish` or `makeLeader` only the leader touches it, after that only the caller; queue and
    // semaphore order the two.
    typealias Body = (borrowing StoreTransaction) throws(KeychainError) -> Void

    /// What the caller learns when it is woken.
    enum Outcome {
        case waiting
        /// It now leads, and its body has not run.
        case leads
        case committed
        case failed(KeychainError)
    }

    let operation: KeychainError.Operation
    /// Whether it may not join others: a large one would make them wait and fill memory with what undoes it.
    let isAlone: Bool
    private(set) var outcome = Outcome.waiting
    private var body: Body?
    private let semaphore: UnsafeMutablePointer<sem_t>

    init(_ operation: KeychainError.Operation, isAlone: Bool, _ body: @escaping Body) {
        self.operation = operation
        self.isAlone = isAlone
        self.body = body
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    // MARK: - The leader's side

    /// Runs the body.
    ///
    /// Not inlined, so that no reference to the caller's closure outlives the call.
    @inline(never)
    func run(_ transaction: borrowing StoreTransaction) throws(KeychainError) {
        try body?(transaction)
    }

    /// Settles it; of several calls the first counts.
    func settle(_ outcome: Outcome) {
        guard case .waiting = self.outcome else { return }
        body = nil
        self.outcome = outcome
    }

    /// Wakes the caller of a job that is settled.
    func wake() {
        unsafe sem_post(semaphore)
    }

    /// Wakes the caller to lead.
    func makeLeader() {
        outcome = .leads
        wake()
    }

    // MARK: - The caller's side

    /// Blocks until `wake`.
    func wait() {
        while unsafe sem_wait(semaphore) != 0 {}
    }

    /// Begins to lead with this job.
    func beginLeading() {
        outcome = .waiting
    }

    /// How it ended, once settled.
    func result() throws(KeychainError) {
        switch outcome {
        case .committed: return
        case .failed(let error): throw error
        case .waiting, .leads: preconditionFailure("a write returned before it was settled")
        }
    }
}
