// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

@testable import KeyfobStore

struct InsertTests {
    @Test func `An inserted item is selected by its tuple as it was given`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        let new = item(1, searchDigests: [digest(5)])
        let id = try store.add(new)
        let found = try store.select(ItemSelection(scopes: [1], kind: .key(tuple: new.tuple)), withValues: true)
        let expected = SealedItem(
            id: id, uuid: new.uuid, scope: 1, tuple: new.tuple, extra: [], classKey: 1, generation: 1,
            accessControl: [], revision: 1, metadata: new.metadata, value: [1, 2, 3])
        #expect(found == [expected])
    }

    @Test func `A second item with the same scope, tuple and extra is a duplicate`() throws {
        let folder = try ScratchFolder()
        let store = try makeStore(folder)
        var new = item(1)
        try store.add(new)
        new.uuid = uuid(2)
        let error = #expect(throws: KeychainError.self) { try store.add(new) }
        #expect(error?.code == .duplicateItem)
        #expect(error?.operation == .add)
    }
}
