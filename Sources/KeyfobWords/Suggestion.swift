// SPDX-License-Identifier: Apache-2.0

/// Finds what a person meant when a word is not one of those that are known.
package enum Suggestion {
    /// The candidate that takes the fewest edits, or nil if none is near: at most a third of the word's length and one.
    ///
    /// A candidate that the word begins is nearer than any other.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        let word = word.lowercased()
        guard !word.isEmpty, word.count <= 64 else { return nil }
        let beginnings = candidates.filter { word.count > 1 && $0.hasPrefix(word) }
        if let only = beginnings.first, beginnings.count == 1 { return only }
        let limit = word.count / 3 + 1
        let near = candidates.map { ($0, distance(Array(word), Array($0))) }.filter {
            $0.1 <= limit && $0.1 < word.count
        }
        return near.min { $0.1 < $1.1 }?.0
    }

    /// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            (before, last) = (last, current)
        }
        return last[right.count]
    }
}
