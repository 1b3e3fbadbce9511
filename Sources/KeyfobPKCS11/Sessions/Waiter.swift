// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// One thread that waits for one answer.
@safe final class Waiter<Answer: Sendable>: @unchecked Sendable {
    // @unchecked: `answer` is read and written with `mutex` held; Mutex of Synchronization has no condition variable.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var answer: Answer?

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Ends the wait; called once.
    func resume(_ value: Answer) {
        unsafe pthread_mutex_lock(mutex)
        answer = value
        unsafe pthread_cond_signal(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Blocks until `resume` was called.
    func wait() -> Answer {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let answer { return answer }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Blocks until `resume` was called, or until the clock is past `deadline`; nil then.
    func wait(until deadline: MonotonicTime) -> Answer? {
        var time = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let answer { return answer }
            if unsafe pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return answer }
        }
    }
}
