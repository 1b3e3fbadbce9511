// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// A condition on the text of an item that no search digest can answer, so that it is asked of opened attributes.
///
/// Text is what was given as text or as data, compared byte by byte; numbers and dates have none.
package struct TextFilter: Hashable, Sendable {
    /// Where in the attribute the text must stand.
    package enum Match: UInt8, Hashable, Sendable {
        case equal = 0
        case startsWith = 1
        case endsWith = 2
        case contains = 3
    }

    /// The attribute that must pass, or nil: any one of the item's text attributes.
    ///
    /// Access group, accessibility and access control are not among them: a query has members of their own for those.
    package let attribute: AttributeName?
    package let match: Match
    /// Whether the case of letters counts for nothing; accents and spellings count all the same.
    package let ignoresCase: Bool
    /// What is looked for, UTF-8; with `ignoresCase` its case is folded, once and for all items.
    package let text: WipedBytes

    /// - Parameter text: UTF-8 as the user gave it; an empty one is equal to empty text and stands in every text.
    package init(_ attribute: AttributeName? = nil, _ match: Match, _ text: WipedBytes, ignoresCase: Bool = false) {
        self.attribute = attribute
        self.match = match
        self.ignoresCase = ignoresCase
        self.text = ignoresCase ? CaseFolding.folded(text) : text
    }

    /// Whether an item with those attributes passes.
    package func passes(_ attributes: AttributeSet) -> Bool {
        if let attribute { return attributes[attribute].map(passes) ?? false }
        return attributes.contains { passes($0.value) }
    }

    private func passes(_ value: AttributeValue) -> Bool {
        switch value {
        case .text(let bytes), .data(let bytes): stands(in: ignoresCase ? CaseFolding.folded(bytes) : bytes)
        case .number, .date: false
        }
    }

    private func stands(in whole: WipedBytes) -> Bool {
        guard match != .equal else { return whole == text }
        guard text.count > 0 else { return true }
        guard whole.count >= text.count else { return false }
        return unsafe whole.withUnsafeBytes { whole in
            unsafe text.withUnsafeBytes { part in
                switch match {
                case .equal: false
                case .startsWith: unsafe whole.prefix(part.count).elementsEqual(part)
                case .endsWith: unsafe whole.suffix(part.count).elementsEqual(part)
                case .contains:
                    (0...whole.count - part.count).contains { start in
                        unsafe whole[start] == part[0]
                            && whole[start..<start + part.count].elementsEqual(part)
                    }
                }
            }
        }
    }
}
