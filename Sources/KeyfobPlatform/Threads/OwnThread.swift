// SPDX-License-Identifier: Apache-2.0
internal import CKeyfobShims
internal import Glibc

/// A thread of ours, which blocks every signal: signals are for the thread that waits for them.
///
/// It ends when its function returns; it must be joined or let go, once.
package struct OwnThread: Sendable {
    private final class Job: Sendable {
        private let name: String
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            // Without it only a list of threads looks worse.
            unsafe keyfob_name_thread(name)
            body()
        }
    }

    private let thread: pthread_t

    /// Starts `body` on a new thread; `name` shows in `ps -T` (at most 15 bytes of it).
    ///
    /// - Throws: `EAGAIN` if the process may have no more threads.
    package init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(PosixError) {
        var all = sigset_t()
        var former = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        let job = unsafe Unmanaged.passRetained(Job(name, body))
        var made = pthread_t()
        let result = unsafe pthread_create(
            &made, nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                unsafe Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, job.toOpaque())
        guard result == 0 else {
            unsafe job.release()
            throw PosixError(call: "pthread_create", errno: result)
        }
        thread = made
    }

    /// Blocks until it has ended.
    package func join() {
        pthread_join(thread, nil)
    }

    /// Lets it end by itself, whenever that is.
    package func letGo() {
        pthread_detach(thread)
    }
}
