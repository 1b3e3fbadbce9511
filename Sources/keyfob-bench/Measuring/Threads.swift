// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Threads that start together.
enum Threads {
    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` with each number below `count` on a thread of its own and waits for all.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws(BenchFailure) {
        var threads: [pthread_t] = []
        defer { for thread in threads { pthread_join(thread, nil) } }
        for index in 0..<count {
            var thread = pthread_t()
            let work = unsafe Unmanaged.passRetained(Work { body(index) })
            let result = unsafe pthread_create(
                &thread, nil,
                { context in
                    guard let context = unsafe context else { return nil }
                    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, unsafe work.toOpaque())
            guard result == 0 else {
                unsafe work.release()
                throw BenchFailure("no thread can be made: error \(result)")
            }
            threads.append(thread)
        }
    }
}
