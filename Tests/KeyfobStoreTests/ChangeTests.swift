// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

@testable import KeyfobStore

struct ChangeTests {
    private let folder: ScratchFolder
    private let store: ItemStore

    init() throws {
        folder = try ScratchFolder()
        store = try makeStore(folder)
    }

    private func replace(
        _ id: Int64, expecting revision: Int64, with item: NewItem, keepingValue: Bool = false
    ) throws(KeychainError) -> Bool {
        try store.write { (transaction) throws(KeychainError) in
            try transaction.replace(id, expecting: revision, with: item, keepingValue: keepingValue)
        }
    }

    private func delete(_ ids: [Int64]) throws(KeychainError) -> Int {
        try store.write(.delete) { (transaction) throws(KeychainError) in try transaction.delete(ids) }
    }

    @Test func `A replaced item is found by its new tuple and digests, not by the old ones`() throws {
        let id = try store.add(item(1, searchDigests: [digest(1), digest(2)]))
        var new = item(1, searchDigests: [digest(2), digest(3)])
        new.tuple = digest(77)
        new.revision = 2
        #expect(try replace(id, expecting: 1, with: new))
        #expect(try store.select(ItemSelection(scopes: [1], filters: [digest(1)]), withValues: false).isEmpty)
        #expect(try store.select(ItemSelection(scopes: [1], filters: [digest(3)]), withValues: false).count == 1)
        #expect(try store.select(ItemSelection(scopes: [1], filters: [digest(2)]), withValues: false).count == 1)
        let found = try store.select(ItemSelection(scopes: [1], kind: .key(tuple: digest(77))), withValues: false)
        #expect(found.map(\.revision) == [2])
        #expect(try store.searchDigests(of: id) == [digest(2), digest(3)].sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `An item moved to another scope is found there with its digests`() throws {
        let other = try store.write { (transaction) throws(KeychainError) in
            try transaction.scope(digest: digest(2, kind: 9), sealed: [2])
        }
        let id = try store.add(item(1, searchDigests: [digest(1)]))
        #expect(try replace(id, expecting: 1, with: item(1, scope: other, searchDigests: [digest(1)])))
        #expect(try store.count(ItemSelection(scopes: [1], filters: [digest(1)])) == 0)
        #expect(try store.count(ItemSelection(scopes: [other], filters: [digest(1)])) == 1)
        #expect(try delete([id]) == 1)
        #expect(try store.searchRowCount() == 0)
    }

    @Test func `An item with another revision is not replaced`() throws {
        let id = try store.add(item(1))
        #expect(try !replace(id, expecting: 5, with: item(1, value: [9])))
        #expect(try store.allItems(limit: 1).map(\.value) == [[1, 2, 3]])
    }

    @Test func `An item that is gone is not replaced`() throws {
        #expect(try !replace(99, expecting: 1, with: item(1)))
    }

    @Test func `Replacing an item without its value keeps the stored one`() throws {
        let id = try store.add(item(1, value: [4, 4]))
        #expect(try replace(id, expecting: 1, with: item(1, value: nil), keepingValue: true))
        #expect(try store.allItems(limit: 1).map(\.value) == [[4, 4]])
    }

    @Test func `Replacing onto the key of another item is a duplicate and changes nothing`() throws {
        try store.add(item(1))
        let id = try store.add(item(2, searchDigests: [digest(2)]))
        var new = item(1, searchDigests: [digest(3)])
        new.uuid = uuid(2)
        let error = #expect(throws: KeychainError.self) { try replace(id, expecting: 1, with: new) }
        #expect(error?.code == .duplicateItem)
        #expect(try store.searchDigests(of: id) == [digest(2)])
    }

    @Test func `Deleting an item removes its search rows without being told its digests`() throws {
        let ids = [try store.add(quickItem(1)), try store.add(quickItem(2))]
        #expect(try delete([ids[0]]) == 1)
        #expect(try store.searchRowCount() == 4)
        #expect(try delete(ids) == 1)
        #expect(try store.searchRowCount() == 0)
    }

    @Test func `The number of a deleted item is not given again`() throws {
        let id = try store.add(item(1))
        #expect(try delete([id]) == 1)
        #expect(try store.add(item(2)) > id)
    }

    @Test func `A digest given twice counts once`() throws {
        let id = try store.add(item(1, searchDigests: [digest(1), digest(1)]))
        #expect(try store.searchDigests(of: id) == [digest(1)])
    }

    @Test func `A search digest of the wrong size is refused`() throws {
        #expect(throws: KeychainError.self) { try store.add(item(1, searchDigests: [[1, 2]])) }
        #expect(try store.count(ItemSelection(scopes: [1])) == 0)
    }

    @Test func `A second item with the same UUID is a duplicate`() throws {
        try store.add(item(1))
        var second = item(2)
        second.uuid = uuid(1)
        let error = #expect(throws: KeychainError.self) { try store.add(second) }
        #expect(error?.code == .duplicateItem)
    }

    @Test func `An item in a scope that does not exist is refused`() throws {
        let error = #expect(throws: KeychainError.self) { try store.add(item(1, scope: 42)) }
        #expect(error?.code == .internalError)
    }

    @Test func `A transaction sees its own writes and others do not yet`() throws {
        try store.write { (transaction) throws(KeychainError) in
            let id = try transaction.insert(item(1))
            let mine = try transaction.item(scope: 1, tuple: item(1).tuple, extra: [])
            #expect(mine?.id == id)
            #expect(try transaction.ids(ItemSelection(scopes: [1])) == [id])
        }
        #expect(try store.count(ItemSelection(scopes: [1])) == 1)
    }

    @Test func `A hundred thousand items are deleted in one call`() throws {
        try store.write(.add, alone: true) { (transaction) throws(KeychainError) in
            for number in 0..<100_000 { _ = try transaction.insert(item(number, searchDigests: [digest(number)])) }
        }
        let ids = try store.select(ItemSelection(scopes: [1]), withValues: false).map(\.id)
        let start = ContinuousClock.now
        #expect(try delete(ids) == 100_000)
        let took = start.duration(to: .now)
        #expect(try store.searchRowCount() == 0)
        #expect(took < .seconds(30), "a delete that grows with the square takes minutes")
    }
}
