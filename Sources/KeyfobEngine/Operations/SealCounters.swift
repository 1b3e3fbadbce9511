// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault
internal import Synchronization

/// Counts how often each class key has sealed, so that random 96-bit IVs stay far from a collision.
///
/// NIST SP 800-38D §8.3 allows 2^32 seals a key. We warn from 2^30 on and refuse at 2^31. Seals are reserved in blocks
/// in the transaction that first needs one, so a count in the store is never too low and rarely written. What a process
/// reserves and does not use counts as used, so blocks grow with what the process seals: a command that stores one item
/// reserves few.
final class SealCounters: Sendable {
    static let warning: Int64 = 1 << 30
    static let limit: Int64 = 1 << 31
    private static let smallestBlock: Int64 = 8
    private static let largestBlock: Int64 = 4096

    private struct Count {
        var used: Int64
        var reserved: Int64
        var block = smallestBlock

        /// Counts; says how many more have to be reserved.
        mutating func add(_ seals: Int64) -> Int64 {
            used += seals
            guard used > reserved else { return 0 }
            let toAdd = max(block, used - reserved)
            reserved += toAdd
            block = min(2 * block, largestBlock)
            return toAdd
        }
    }

    private let counts: Mutex<[ClassKeyID: Count]>

    /// - Parameter reserved: what the store holds for each class key.
    init(reserved: [ClassKeyID: Int64]) {
        counts = Mutex(reserved.mapValues { Count(used: $0, reserved: $0) })
    }

    /// Counts the seals of one item (value and attributes) before they are made; says how many the writing transaction
    /// has to add to the store's count (0 most of the time).
    ///
    /// - Throws: `.keyExhausted`.
    func reserve(_ seals: Int64, _ key: ClassKeyID, _ operation: KeychainError.Operation) throws(KeychainError)
        -> Int64
    {
        let (toAdd, used) = counts.withLock { counts -> (Int64, Int64) in
            var count = counts[key] ?? Count(used: 0, reserved: 0)
            guard count.used + seals <= Self.limit else { return (-1, count.used) }
            let toAdd = count.add(seals)
            counts[key] = count
            return (toAdd, count.used)
        }
        guard toAdd >= 0 else {
            throw KeychainError(.keyExhausted, operation, subject: .classKey(key.accessibility), remedy: .rotate)
        }
        if toAdd > 0 && used >= Self.warning {
            Log.shared.warning(
                "class key \(key.accessibility.code) has sealed \(used) times: rotate it before \(Self.limit)")
        }
        return toAdd
    }
}
