// SPDX-License-Identifier: Apache-2.0

/// How many opened item keys may be kept in locked memory, and for how long.
package struct ItemKeyCacheLimit: Hashable, Sendable {
    /// What `keys` may be; a key takes 64 bytes of locked memory, so the most take a megabyte.
    package static let keyRange = 1...16384
    /// What `seconds` may be: a day at most.
    package static let secondRange = 1...86400

    /// The most keys.
    package let keys: Int
    /// How long a key is kept, from the moment that the token opened it.
    package let seconds: Int

    /// Nil for a number that is not in its range.
    package init?(keys: Int, seconds: Int) {
        guard Self.keyRange.contains(keys), Self.secondRange.contains(seconds) else { return nil }
        self.keys = keys
        self.seconds = seconds
    }
}
