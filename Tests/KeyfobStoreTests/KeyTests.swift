// SPDX-License-Identifier: Apache-2.0
import KeyfobModel
import Testing

@testable import KeyfobStore

struct KeyTests {
    private let folder: ScratchFolder
    private let store: ItemStore

    init() throws {
        folder = try ScratchFolder()
        store = try makeStore(folder)
    }

    @Test func `A scope is made once for each digest`() throws {
        let ids = try store.write { (transaction) throws(KeychainError) in
            [
                try transaction.scope(digest: digest(5), sealed: [1]),
                try transaction.scope(digest: digest(5), sealed: [2]),
            ]
        }
        #expect(ids[0] == ids[1])
        #expect(try store.scopes().map(\.sealed) == [[1], [1]])
    }

    @Test func `Seals add up`() throws {
        let totals = try store.write { (transaction) throws(KeychainError) in
            [
                try transaction.addSeals(1, generation: 1, count: 3),
                try transaction.addSeals(1, generation: 1, count: 4),
                try transaction.addSeals(9, generation: 1, count: 1),
            ]
        }
        #expect(totals == [3, 7, nil])
        #expect(try store.classKeys().map(\.seals) == [7])
    }

    @Test func `A class key is added, changed and deleted`() throws {
        var key = ClassKeyRecord.sample(2, generation: 3)
        try store.write { (transaction) throws(KeychainError) in try transaction.insertClassKey(key) }
        key.wrapped = [1, 2]
        key.state = 9
        let changed = try store.write { [key] (transaction) throws(KeychainError) in
            try transaction.updateClassKey(key)
        }
        #expect(changed)
        #expect(try store.classKeys() == [.sample(), key])
        let deleted = try store.write { (transaction) throws(KeychainError) in
            try transaction.deleteClassKey(2, generation: 3)
        }
        #expect(deleted)
        #expect(try store.classKeys() == [.sample()])
    }

    @Test func `A class key that is not there is neither changed nor deleted`() throws {
        try store.write { (transaction) throws(KeychainError) in
            let changed = try transaction.updateClassKey(.sample(5))
            let deleted = try transaction.deleteClassKey(5, generation: 1)
            #expect(!changed)
            #expect(!deleted)
        }
    }

    @Test func `The keychain's row can be rewritten`() throws {
        var keychain = KeychainRecord.sample
        keychain.indexKey = [1]
        try store.write { [keychain] (transaction) throws(KeychainError) in try transaction.setKeychain(keychain) }
        #expect(try store.keychain() == keychain)
    }
}
