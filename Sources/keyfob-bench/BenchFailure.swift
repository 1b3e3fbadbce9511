// SPDX-License-Identifier: Apache-2.0

/// Why nothing, or one thing, could be measured, in words for people.
struct BenchFailure: Error {
    let words: String

    init(_ words: String) {
        self.words = words
    }
}
