// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import Synchronization

/// Counts calls by function, and how long they took: what tests, the benchmark's gates and the daemon's metrics read.
///
/// Three relaxed atomic adds and two looks at the clock a call.
@safe package final class CallCounter: @unchecked Sendable {
    // @unchecked: the table is allocated once, and its elements are atomics.
    private let table: UnsafeMutablePointer<Atomic<Int>>

    package init() {
        let count = CryptokiFunction.allCases.count
        unsafe table = .allocate(capacity: count)
        for index in 0..<count { unsafe (table + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe table.deinitialize(count: CryptokiFunction.allCases.count)
        unsafe table.deallocate()
    }

    /// How long the calls took, waiting in the module included.
    package let durations = DurationHistogram()

    func count(_ function: CryptokiFunction) {
        unsafe table[function.rawValue].add(1, ordering: .relaxed)
    }

    /// How often the function was called so far.
    package func calls(of function: CryptokiFunction) -> Int {
        unsafe table[function.rawValue].load(ordering: .relaxed)
    }

    /// Calls by C name so far, functions that were never called left out.
    package func snapshot() -> [String: Int] {
        var result: [String: Int] = [:]
        for function in CryptokiFunction.allCases {
            let count = calls(of: function)
            if count > 0 { result[function.name] = count }
        }
        return result
    }

    /// All calls so far.
    package var total: Int { CryptokiFunction.allCases.reduce(0) { $0 + calls(of: $1) } }
}
