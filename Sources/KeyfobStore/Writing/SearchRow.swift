// SPDX-License-Identifier: Apache-2.0

/// One row of table `search`, compared in the order of its primary key; flat, for there may be a million of them.
struct SearchRow: Comparable {
    let scope: Int64
    let item: Int64
    private let high: UInt64
    private let low: UInt64

    /// - Parameter digest: 16 bytes.
    init(scope: Int64, digest: [UInt8], item: Int64) {
        self.scope = scope
        self.item = item
        high = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = digest.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 16 bytes.
    var digest: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.scope, left.high, left.low, left.item) < (right.scope, right.high, right.low, right.item)
    }
}
