// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory

/// One item of an answer; only what was asked for is set.
package struct ItemResult: Hashable, Sendable {
    package var itemClass: ItemClass
    /// Every attribute that is not null, `agrp`, `sync`, `pdmn`, the dates, `tomb` and `musr` included.
    package var attributes: AttributeSet?
    /// With `attributes` only.
    ///
    /// From an add: only if the caller gave one.
    package var accessControl: AccessControl?
    package var persistentReference: PersistentReference?
    /// Where the item's value lies in the answer's `values`; nil if it was not asked for or the item has none.
    package var value: Range<Int>?

    package init(
        itemClass: ItemClass, attributes: AttributeSet? = nil, accessControl: AccessControl? = nil,
        persistentReference: PersistentReference? = nil, value: Range<Int>? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.accessControl = accessControl
        self.persistentReference = persistentReference
        self.value = value
    }
}

/// The answer to an add or a copy: the items in the order they were added, all values in one secret.
package struct MatchResult: ~Copyable, Sendable {
    /// Never empty in an answer to a copy: nothing found is an error.
    package var items: [ItemResult]
    /// The values of all items, one after the other; nil if no item has one.
    package var values: SecretBytes?
    /// How many items were left out because they need a person and nobody was to be asked (`AuthenticationUI.skip`), as far
    /// as the search went.
    package var leftOut: Int

    /// The place in the cause of an `itemNotFound` where every match was left out.
    package static let leftOutPlace = "query"

    /// What is said about that many items that were left out; nil: there are none.
    package static func words(leftOut count: Int) -> String? {
        switch count {
        case 0: nil
        case 1: "left out 1 item that needs a person"
        default: "left out \(count) items that need a person"
        }
    }

    package init(items: [ItemResult], values: consuming SecretBytes? = nil, leftOut: Int = 0) {
        self.items = items
        self.values = values
        self.leftOut = leftOut
    }

    /// Lends the value of an item; `body` gets nil if it has none in this answer.
    package func withValue<R, E: Error>(of item: ItemResult, _ body: (RawSpan?) throws(E) -> R) throws(E) -> R {
        guard let range = item.value else { return try body(nil) }
        switch values {
        case .some(let all):
            return try all.withBytes { (bytes) throws(E) in try body(bytes.extracting(range)) }
        case .none:
            return unsafe try body([UInt8]().span.bytes)
        }
    }
}
