// SPDX-License-Identifier: Apache-2.0
internal import KeyfobWords
internal import Testing

struct SuggestionTests {
    private let words = ["list", "lock", "unlock", "status"]

    @Test func `Neighbours that are swapped count as one edit`() {
        #expect(Suggestion.nearest(to: "lsit", among: words) == "list")
    }

    @Test func `The nearest of several wins`() {
        #expect(Suggestion.nearest(to: "unloc", among: words) == "unlock")
        #expect(Suggestion.nearest(to: "lok", among: words) == "lock")
    }

    @Test func `A beginning that only one word has is that word`() {
        #expect(Suggestion.nearest(to: "st", among: words) == "status")
    }

    @Test func `A word that shares nothing gets none`() {
        #expect(Suggestion.nearest(to: "abc", among: words) == nil)
        #expect(Suggestion.nearest(to: "", among: words) == nil)
        #expect(Suggestion.nearest(to: String(repeating: "l", count: 1000), among: words) == nil)
    }

    @Test func `Case does not matter`() {
        #expect(Suggestion.nearest(to: "STATUS", among: words) == "status")
    }
}
