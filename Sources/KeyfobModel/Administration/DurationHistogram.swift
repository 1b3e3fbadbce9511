// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// How long something took, how often: a histogram that any thread adds to without waiting.
///
/// One relaxed atomic add for the sum and one for the class.
@safe package final class DurationHistogram: @unchecked Sendable {
    // @unchecked: the table is allocated once, and its elements are atomics.
    /// The upper ends of the classes, in nanoseconds; what takes longer is in one more class.
    package static let bounds: [UInt64] = [
        10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 50_000_000,
        250_000_000, 1_000_000_000, 5_000_000_000, 30_000_000_000,
    ]

    /// A histogram at one moment.
    package struct Snapshot: Hashable, Sendable {
        /// How many there are of each class, the last one beyond all bounds.
        package let counts: [Int]
        /// Nanoseconds in all.
        package let sum: UInt64

        /// How many there are.
        package var count: Int { counts.reduce(0, +) }
    }

    private let table: UnsafeMutablePointer<Atomic<Int>>
    private let sum = Atomic<UInt64>(0)

    package init() {
        let count = Self.bounds.count + 1
        unsafe table = .allocate(capacity: count)
        for index in 0..<count { unsafe (table + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe table.deinitialize(count: Self.bounds.count + 1)
        unsafe table.deallocate()
    }

    /// Adds one.
    package func add(nanoseconds: UInt64) {
        let index = Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count
        unsafe table[index].add(1, ordering: .relaxed)
        sum.wrappingAdd(nanoseconds, ordering: .relaxed)
    }

    /// The histogram now; what is added meanwhile may be in one of its numbers and not yet in the other.
    package var snapshot: Snapshot {
        Snapshot(
            counts: (0...Self.bounds.count).map { unsafe table[$0].load(ordering: .relaxed) },
            sum: sum.load(ordering: .relaxed))
    }
}
