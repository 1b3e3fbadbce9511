// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import Synchronization

extension BenchKeychain {
    /// How many threads fill a keychain: their commits are shared.
    private static let fillers = 32

    /// Adds the items with those numbers through the engine, many writers at once.
    func fill(_ numbers: Range<Int>) throws {
        let service = service
        let next = Atomic<Int>(numbers.lowerBound)
        let fault = Mutex<(any Error)?>(nil)
        try withoutActuallyEscaping({ @Sendable (_: Int) in
            do {
                while true {
                    let number = next.add(1, ordering: .relaxed).oldValue
                    guard number < numbers.upperBound else { return }
                    try BenchItem.add(number, to: service)
                }
            } catch {
                fault.withLock { $0 = error }
            }
        }) { try Threads.run(Self.fillers, $0) }
        if let error = fault.withLock({ $0 }) { throw error }
    }
}
