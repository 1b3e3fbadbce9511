// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// A function that runs on a thread of its own.
final class Background<Outcome: Sendable>: Sendable {
    private let outcome: Shared
    private let thread: pthread_t

    private final class Shared: Sendable {
        let value = Mutex<Outcome?>(nil)
    }

    fileprivate final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    init(_ body: @escaping @Sendable () -> Outcome) {
        let outcome = Shared()
        let job = Background<Void>.Job {
            let made = body()
            outcome.value.withLock { $0 = made }
        }
        self.outcome = outcome
        thread = Background<Void>.start(job)
    }

    /// Waits for its end.
    func join() -> Outcome? {
        pthread_join(thread, nil)
        return outcome.value.withLock { $0 }
    }
}

extension Background<Void> {
    fileprivate static func start(_ job: Job) -> pthread_t {
        var thread = pthread_t()
        let made = unsafe pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                unsafe Unmanaged<Background<Void>.Job>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            }, unsafe Unmanaged.passRetained(job).toOpaque())
        precondition(made == 0, "no thread")
        return thread
    }
}
