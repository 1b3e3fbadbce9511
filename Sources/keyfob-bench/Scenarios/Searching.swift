// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// Searching by attributes that are not the whole key, each search with as many items to return at every size.
struct Searching {
    /// Series by the words of their line.
    let searches: [(words: String, series: Series)]

    init(_ keychain: BenchKeychain, items: Int) {
        let service = keychain.service
        var dice = Dice()
        func series(_ id: String, finds count: Int, _ query: @escaping (Int) -> ItemQuery) -> Series {
            Series(id, batch: 5, batches: 50) { _ in
                // Of the services that have all their items.
                let number = Int.random(in: 0..<items / 10 * 10, using: &dice)
                let request = MatchRequest(query(number), limit: .all, returns: .attributes)
                let found = try service.copyMatching(request).items.count
                guard found == count else { throw BenchFailure("\(id) found \(found) items, not \(count)") }
            }
        }
        func query(_ attributes: AttributeSet) -> ItemQuery {
            ItemQuery(itemClass: .genericPassword, attributes: attributes)
        }
        searches = [
            (
                "by account",
                series("search-account", finds: 1) { query([.account: .text(BenchItem.account($0))]) }
            ),
            ("by label", series("search-label", finds: 1) { query([.label: .text(BenchItem.label($0))]) }),
            (
                "by service, ten items",
                series("search-service", finds: 10) { query([.service: .text(BenchItem.service($0))]) }
            ),
            (
                "by service and label",
                series("search-two", finds: 1) {
                    query([.service: .text(BenchItem.service($0)), .label: .text(BenchItem.label($0))])
                }
            ),
            (
                "by service and the end of the account, in any case",
                series("search-text", finds: 10) {
                    var query = query([.service: .text(BenchItem.service($0))])
                    let end = WipedBytes(utf8: "@EXAMPLE.ORG")
                    query.textFilters = [TextFilter(.account, .endsWith, end, ignoresCase: true)]
                    return query
                }
            ),
        ]
    }
}
