// SPDX-License-Identifier: Apache-2.0

/// Attributes of an item or a query, each name once, in the order of their names.
package struct AttributeSet: Hashable, Sendable, Sequence, ExpressibleByDictionaryLiteral {
    package typealias Element = (name: AttributeName, value: AttributeValue)

    fileprivate struct Entry: Hashable, Sendable {
        var name: AttributeName
        var value: AttributeValue
    }

    private var entries: [Entry] = []

    /// No attributes.
    package init() {}

    package init(dictionaryLiteral elements: (AttributeName, AttributeValue)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// How many there are.
    package var count: Int { entries.count }

    /// Whether there is none.
    package var isEmpty: Bool { entries.isEmpty }

    /// The value of an attribute; setting nil removes it.
    package subscript(name: AttributeName) -> AttributeValue? {
        get {
            for entry in entries where entry.name == name { return entry.value }
            return nil
        }
        set {
            let position = entries.firstIndex { $0.name >= name } ?? entries.count
            let exists = position < entries.count && entries[position].name == name
            switch (newValue, exists) {
            case (let value?, true): entries[position].value = value
            case (let value?, false): entries.insert(Entry(name: name, value: value), at: position)
            case (nil, true): entries.remove(at: position)
            case (nil, false): break
            }
        }
    }

    /// Goes through the attributes in the order of their names.
    ///
    /// A type of its own: an opaque one is looked up at run time by every loop in another module.
    package struct Iterator: IteratorProtocol {
        private let entries: [Entry]
        private var position = 0

        fileprivate init(_ entries: [Entry]) {
            self.entries = entries
        }

        package mutating func next() -> Element? {
            guard position < entries.count else { return nil }
            defer { position += 1 }
            return (entries[position].name, entries[position].value)
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(entries)
    }
}
