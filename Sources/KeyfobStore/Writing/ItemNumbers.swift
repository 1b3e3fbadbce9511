// SPDX-License-Identifier: Apache-2.0

/// Gives out item numbers, each once while the store is open, so that a number read before never names another item.
///
/// Confined to the writer.
final class ItemNumbers {
    private var last: Int64

    /// - Parameter last: the greatest number in the store.
    init(after last: Int64) {
        self.last = last
    }

    func next() -> Int64 {
        last += 1
        return last
    }
}
