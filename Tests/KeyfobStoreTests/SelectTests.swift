// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

@testable import KeyfobStore

struct SelectTests {
    private let folder: ScratchFolder
    private let store: ItemStore

    init() throws {
        folder = try ScratchFolder()
        store = try makeStore(folder)
        try store.write { (transaction) throws(KeychainError) in
            for number in 2...4 { _ = try transaction.scope(digest: digest(number, kind: 9), sealed: [1]) }
            for number in 0..<40 {
                _ = try transaction.insert(
                    item(
                        number, scope: Int64(1 + number % 4), classKey: UInt8(1 + number % 3),
                        searchDigests: [digest(number % 2), digest(number % 5, kind: 6), digest(number, kind: 7)]))
            }
        }
    }

    private func numbers(_ selection: ItemSelection, after: Int64 = 0, limit: Int? = nil) throws -> [Int] {
        let found = try store.select(selection, after: after, limit: limit, withValues: false)
        return found.map { found in (0..<40).first { uuid($0) == found.uuid } ?? -1 }
    }

    @Test func `Items of several scopes come in the order of insertion`() throws {
        #expect(try numbers(ItemSelection(scopes: [3, 1])) == (0..<40).filter { $0 % 4 == 0 || $0 % 4 == 2 })
    }

    @Test func `A limit gives the first items over all scopes together`() throws {
        #expect(try numbers(ItemSelection(scopes: [1, 2, 3, 4]), limit: 7) == Array(0..<7))
    }

    @Test func `A limit of zero gives nothing`() throws {
        #expect(try numbers(ItemSelection(scopes: [1]), limit: 0) == [])
        #expect(try numbers(ItemSelection(scopes: [1], kind: .key(tuple: digest(0, kind: 1))), limit: 0) == [])
    }

    @Test func `Reading page by page gives every item once`() throws {
        let selection = ItemSelection(scopes: [1, 2, 4], filters: [digest(1)])
        var seen: [Int64] = []
        var last: Int64 = 0
        while case let page = try store.select(selection, after: last, limit: 3, withValues: false), !page.isEmpty {
            seen += page.map(\.id)
            last = page[page.count - 1].id
        }
        #expect(seen == (try store.select(selection, withValues: false).map(\.id)))
        #expect(seen.count == 20)
    }

    @Test func `No scope finds nothing`() throws {
        #expect(try numbers(ItemSelection(scopes: [])) == [])
    }

    @Test func `One filter gives the items that have the digest`() throws {
        let selection = ItemSelection(scopes: [1, 2, 3, 4], filters: [digest(3, kind: 6)])
        #expect(try numbers(selection) == (0..<40).filter { $0 % 5 == 3 })
    }

    @Test func `Several filters give the items that have every digest`() throws {
        let selection = ItemSelection(scopes: [1, 2, 3, 4], filters: [digest(1), digest(3, kind: 6)])
        #expect(try numbers(selection) == (0..<40).filter { $0 % 2 == 1 && $0 % 5 == 3 })
    }

    @Test func `The order of filters means nothing`() throws {
        let filters = [digest(0), digest(4, kind: 6), digest(24, kind: 7)]
        #expect(try numbers(ItemSelection(scopes: [1], filters: filters)) == [24])
        #expect(try numbers(ItemSelection(scopes: [1], filters: filters.reversed())) == [24])
    }

    @Test func `A filter that no item has finds nothing`() throws {
        let selection = ItemSelection(scopes: [1, 2, 3, 4], filters: [digest(1), digest(99)])
        #expect(try numbers(selection) == [])
    }

    @Test func `A class key narrows every kind of selection`() throws {
        #expect(try numbers(ItemSelection(scopes: [1], classKey: 2)) == [4, 16, 28])
        #expect(try numbers(ItemSelection(scopes: [1], filters: [digest(0)], classKey: 2)) == [4, 16, 28])
        #expect(
            try numbers(ItemSelection(scopes: [1], filters: [digest(0), digest(1, kind: 6)], classKey: 2)) == [16])
        #expect(try numbers(ItemSelection(scopes: [1], kind: .key(tuple: digest(4, kind: 1)), classKey: 2)) == [4])
        #expect(try numbers(ItemSelection(scopes: [1], kind: .key(tuple: digest(4, kind: 1)), classKey: 1)) == [])
        #expect(try numbers(ItemSelection(scopes: [1], kind: .uuid(uuid(4)), classKey: 1)) == [])
    }

    @Test func `A UUID is found in its scope only`() throws {
        #expect(try numbers(ItemSelection(scopes: [2, 3], kind: .uuid(uuid(5)))) == [5])
        #expect(try numbers(ItemSelection(scopes: [1], kind: .uuid(uuid(5)))) == [])
    }

    @Test func `A tuple with a filter is found only if it has the digest`() throws {
        let kind = ItemSelection.Kind.key(tuple: digest(8, kind: 1))
        #expect(try numbers(ItemSelection(scopes: [1], kind: kind, filters: [digest(0)])) == [8])
        #expect(try numbers(ItemSelection(scopes: [1], kind: kind, filters: [digest(1)])) == [])
    }

    @Test func `Items that differ in extra alone come in the order of insertion`() throws {
        var first = item(100)
        first.extra = digest(2)
        var second = first
        second.uuid = uuid(101)
        second.extra = digest(1)
        let ids = [try store.add(first), try store.add(second)]
        let selection = ItemSelection(scopes: [1], kind: .key(tuple: first.tuple))
        #expect(try store.select(selection, withValues: true).map(\.id) == ids)
        #expect(try store.select(selection, limit: 1, withValues: true).map(\.id) == [ids[0]])
        #expect(try store.select(selection, after: ids[0], withValues: true).map(\.id) == [ids[1]])
    }

    @Test func `Without values no value is read`() throws {
        let found = try store.select(ItemSelection(scopes: [1]), withValues: false)
        #expect(found.allSatisfy { $0.value == nil })
    }

    @Test func `An empty value and no value are different`() throws {
        let ids = [try store.add(item(200, value: [])), try store.add(item(201, value: nil))]
        let found = try store.select(ItemSelection(scopes: [1]), after: ids[0] - 1, withValues: true)
        #expect(found.map(\.value) == [[], nil])
    }

    @Test func `Counting agrees with selecting`() throws {
        for selection in [
            ItemSelection(scopes: [1, 2]), ItemSelection(scopes: [1, 2], classKey: 3),
            ItemSelection(scopes: [1, 2, 3], filters: [digest(1), digest(2, kind: 6)]),
        ] {
            #expect(try store.count(selection) == numbers(selection).count)
        }
    }

    @Test func `The hot selection is one statement and touches no transaction`() throws {
        let selection = ItemSelection(scopes: [1], kind: .key(tuple: digest(0, kind: 1)))
        _ = try store.select(selection, withValues: true)
        let before = store.statementCount
        _ = try store.select(selection, limit: 1, withValues: true)
        #expect(store.statementCount - before == 1)
    }

    @Test func `What filters cost grows with what is found, not with what is stored`() throws {
        let narrow = ItemSelection(scopes: [1], filters: [digest(0), digest(36, kind: 7)])
        _ = try store.select(narrow, withValues: false)
        let before = store.statementCount
        _ = try store.select(narrow, withValues: false)
        #expect(store.statementCount - before <= 8)
    }

    @Test func `Items per class key are counted by generation`() throws {
        #expect(try store.classKeyUse().map(\.items) == [14, 13, 13])
        #expect(try store.classKeyUse().map(\.classKey) == [1, 2, 3])
    }

    @Test func `All items come page by page whatever their scope`() throws {
        let first = try store.allItems(limit: 25)
        let second = try store.allItems(after: first[24].id, limit: 25)
        #expect((first + second).map(\.uuid) == (0..<40).map(uuid))
    }

    @Test func `The items of a class are found in every scope, as they come to be and go`() throws {
        let ids = { (classKey: UInt8) in
            try store.write { (transaction) throws(KeychainError) in try transaction.ids(sealedUnder: classKey) }
        }
        let all = try store.select(ItemSelection(scopes: [1, 2, 3, 4]), withValues: false)
        for classKey in UInt8(1)...3 {
            #expect(try Set(ids(classKey)) == Set(all.filter { $0.classKey == classKey }.map(\.id)))
        }
        #expect(try ids(7) == [])
        let first = try #require(ids(2).first)
        _ = try store.write { (transaction) throws(KeychainError) in try transaction.delete([first]) }
        #expect(try !ids(2).contains(first))
    }
}
