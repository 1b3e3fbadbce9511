// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import Testing

struct MatchResultTests {
    private func value(of item: ItemResult, in result: borrowing MatchResult) -> [UInt8]? {
        result.withValue(of: item) { span in unsafe span?.withUnsafeBytes { unsafe Array($0) } }
    }

    @Test func `Each item finds its own value among all`() throws {
        let items = [0..<2, 2..<2, 2..<5].map { ItemResult(itemClass: .genericPassword, value: $0) }
        let result = MatchResult(items: items, values: try SecretBytes(copying: [1, 2, 3, 4, 5]))
        #expect(items.map { value(of: $0, in: result) } == [[1, 2], [], [3, 4, 5]])
    }

    @Test func `An item without a value has none, which is not an empty one`() throws {
        let item = ItemResult(itemClass: .genericPassword)
        let result = MatchResult(items: [item], values: try SecretBytes(copying: [1]))
        #expect(value(of: item, in: result) == nil)
    }

    @Test func `An empty value needs no secret memory`() {
        let item = ItemResult(itemClass: .genericPassword, value: 0..<0)
        let result = MatchResult(items: [item])
        #expect(value(of: item, in: result) == [])
    }
}
