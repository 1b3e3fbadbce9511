// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Runs `body` on a new thread that nobody waits for.
func startThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    let result = unsafe pthread_create(
        &thread, nil,
        { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, context)
    precondition(result == 0, "no thread")
    pthread_detach(thread)
}

/// Runs `body` on `count` threads at once, with the thread's number, and waits for all.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let done = Gate()
    for number in 0..<count {
        startThread {
            body(number)
            done.open()
        }
    }
    for _ in 0..<count { done.pass() }
}

/// A counter that threads wait at: `pass` blocks until `open` was called once more than it was passed.
@safe final class Gate: @unchecked Sendable {
    // @unchecked: a POSIX semaphore is made for several threads.
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func open() {
        unsafe sem_post(semaphore)
    }

    func pass() {
        while unsafe sem_wait(semaphore) != 0 {}
    }
}

private final class ThreadBody {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

/// Lets other threads run.
func yieldThread() {
    sched_yield()
}
