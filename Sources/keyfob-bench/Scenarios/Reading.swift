// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import Security

/// Copying and searching.
struct Reading {
    private let copy: Series
    private let copyBySecItem: Series
    private let attributes: Series
    private let attributesBySecItem: Series
    private let search: Series
    private let existence: Series

    init(_ keychain: BenchKeychain, items: Int) {
        let service = keychain.service
        var dice = Dice()
        func random() -> Int { Int.random(in: 0..<items, using: &dice) }
        func match(_ query: ItemQuery, _ returns: ReturnFlags) throws {
            let result = try service.copyMatching(MatchRequest(query, returns: returns))
            guard result.items.count == 1 else { throw BenchFailure("a query found \(result.items.count) items") }
        }
        copy = Series("copy", batch: 10, batches: 50) { _ in try match(BenchItem.query(random()), .data) }
        let values = SecItemCalls(count: 10, items: items, returning: kSecReturnData)
        copyBySecItem = Series("copy-secitem", batch: 10, batches: 50) { try values.copy($0) }
        attributes = Series("attributes", batch: 10, batches: 50) { _ in
            try match(BenchItem.query(random()), .attributes)
        }
        let dictionaries = SecItemCalls(count: 10, items: items, returning: kSecReturnAttributes)
        attributesBySecItem = Series("attributes-secitem", batch: 10, batches: 50) { try dictionaries.copy($0) }
        search = Series("search", batch: 10, batches: 50) { _ in
            let query = ItemQuery(
                itemClass: .genericPassword, attributes: [.label: .text(BenchItem.label(random()))])
            try match(query, .attributes)
        }
        existence = Series("existence", batch: 10, batches: 50) { _ in try match(BenchItem.query(random()), []) }
    }

    var series: [Series] { [copy, copyBySecItem, attributes, attributesBySecItem, search, existence] }

    /// A copy of one value in the process, in microseconds.
    var copyTime: Double { copy.median }

    func figures(_ limits: Limits) -> [Figure] {
        let read = Figure.Limit(value: limits.read.median, words: "read")
        return [
            Figure(
                "copy", "copy one value, KeychainService", copy.median, limit: limits.copy, goal: .atMost(3)),
            Figure(
                "copy-secitem", "copy one value, SecItemCopyMatching", copyBySecItem.median, limit: limits.copy,
                goal: .atMost(3)),
            Figure("attributes", "copy attributes, KeychainService", attributes.median, limit: read),
            Figure(
                "attributes-secitem", "copy attributes, SecItemCopyMatching", attributesBySecItem.median, limit: read),
            Figure("existence", "ask whether an item exists", existence.median, limit: read),
            Figure("search", "search by label, attributes", search.median, limit: read),
        ]
    }
}
