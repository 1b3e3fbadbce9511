// SPDX-License-Identifier: Apache-2.0

/// The cache of opened item keys, as `keyfob status` shows it.
package struct ItemKeyCacheStatus: Hashable, Sendable {
    package let limit: ItemKeyCacheLimit
    /// Keys that it holds now.
    package let held: Int
    /// Values that were read by a key of the cache, so without a token call, since the keychain was opened.
    package let hits: Int
    /// Values for which the cache was asked in vain.
    package let misses: Int

    package init(limit: ItemKeyCacheLimit, held: Int, hits: Int, misses: Int) {
        self.limit = limit
        self.held = held
        self.hits = hits
        self.misses = misses
    }
}
