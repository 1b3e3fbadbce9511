// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobWire
internal import Synchronization

/// What the daemon's requests came to, by operation.
final class Meter: Sendable {
    /// What came of a request: its operation and the error, nil for success.
    struct Key: Hashable, Sendable {
        let operation: WireOperation
        let code: KeychainError.Code?
    }

    private let counts = Mutex<[Key: Int]>([:])
    /// By the number of the operation; requests are below 128.
    private let durations = (0..<128).map { _ in DurationHistogram() }

    /// Counts a request that was answered.
    func count(_ operation: WireOperation, _ code: KeychainError.Code?) {
        counts.withLock { $0[Key(operation: operation, code: code), default: 0] += 1 }
    }

    /// Notes how long a request took, the waiting for a worker not included.
    func took(_ operation: UInt8, _ duration: Duration) {
        guard operation < durations.count else { return }
        durations[Int(operation)].add(nanoseconds: duration.wholeNanoseconds)
    }

    /// The counts, in the order of operations and codes.
    var requests: [(key: Key, count: Int)] {
        counts.withLock { $0 }.sorted {
            ($0.key.operation.rawValue, $0.key.code?.rawValue ?? 0)
                < ($1.key.operation.rawValue, $1.key.code?.rawValue ?? 0)
        }.map { ($0.key, $0.value) }
    }

    /// The durations of the operations that occurred.
    var times: [(operation: WireOperation, times: DurationHistogram.Snapshot)] {
        WireOperation.allCases.filter(\.isRequest).map { ($0, durations[Int($0.rawValue)].snapshot) }
            .filter { $1.count > 0 }
    }
}
