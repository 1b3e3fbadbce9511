// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeychainWrappers
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct SAMKeychainQueryTests {
    private func query(_ account: String = "bob", password: String? = "swordfish") -> SAMKeychainQuery {
        let query = SAMKeychainQuery()
        query.service = "shop"
        query.account = account
        query.password = password
        return query
    }

    private func code(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test func `A saved password is fetched`() throws {
        try withKeychain { _ in
            try query().save()
            let reader = query(password: nil)
            try reader.fetch()
            #expect(reader.password == "swordfish" && reader.passwordData == Data("swordfish".utf8))
        }
    }

    @Test func `Saving with either copy meant stores a local item`() throws {
        try withKeychain { keychain in
            try query().save()
            #expect(keychain.items.map(\.isSynchronizable) == [false])
        }
    }

    @Test func `Local and synchronizable copies are two items`() throws {
        try withKeychain { keychain in
            for mode in [SAMKeychainQuerySynchronizationMode.no, .yes] {
                let query = query()
                query.synchronizationMode = mode
                try query.save()
            }
            #expect(keychain.items.map(\.isSynchronizable) == [false, true])
            #expect(try query().fetchAll().count == 2)
        }
    }

    @Test func `An update keeps the label that the add set`() throws {
        try withKeychain { _ in
            let query = query()
            query.label = "first"
            try query.save()
            query.label = "second"
            query.password = "new"
            try query.save()
            #expect(attributes()["labl"] as? String == "first")
            try query.fetch()
            #expect(query.password == "new")
        }
    }

    @Test func `An access group is where the item lives`() throws {
        try withKeychain { keychain in
            let query = query()
            query.accessGroup = "test.shared"
            try query.save()
            #expect(keychain.items.map(\.accessGroup.name) == ["test.shared"])
            query.accessGroup = "theirs"
            #expect(code { try query.fetch() } == Int(errSecMissingEntitlement))
        }
    }

    @Test func `A service, account or password that is missing is told as -1001`() {
        withKeychain { _ in
            #expect(code { try query(password: nil).save() } == -1001)
            #expect(code { try SAMKeychainQuery().save() } == -1001)
            #expect(code { try SAMKeychainQuery().fetch() } == -1001)
            #expect(code { try SAMKeychainQuery().deleteItem() } == -1001)
        }
    }

    @Test func `Not found is told by its status`() {
        withKeychain { _ in
            #expect(code { try query().fetch() } == Int(errSecItemNotFound))
            #expect(code { try query().deleteItem() } == Int(errSecItemNotFound))
            #expect(code { _ = try query().fetchAll() } == Int(errSecItemNotFound))
        }
    }

    @Test func `A refused look keeps the item and is told by its status`() throws {
        try withKeychain { keychain in
            try query().save()
            keychain.locked = [.whenUnlocked]
            #expect(code { try query(password: "new").save() } == Int(errSecInteractionNotAllowed))
        }
    }

    @Test func `A deleted item is gone`() throws {
        try withKeychain { keychain in
            try query().save()
            try query().deleteItem()
            #expect(keychain.items.isEmpty)
        }
    }

    @Test func `A password may be an object graph`() throws {
        try withKeychain { _ in
            let writer = query(password: nil)
            writer.passwordObject = ["张三": ["a", "b"]]
            try writer.save()
            let reader = query(password: nil)
            try reader.fetch()
            #expect(reader.passwordObject as? [String: [String]] == ["张三": ["a", "b"]])
        }
    }

    @Test func `An object of another class is no password, and text is no object graph`() {
        let query = query()
        #expect(query.passwordObject == nil)
        query.passwordObject = NSObject()
        #expect(query.passwordData == nil)
    }

    @Test func `Empty bytes are no text`() {
        let query = query(password: "")
        #expect(query.passwordData == Data() && query.password == nil)
        query.passwordData = Data([0xFF])
        #expect(query.password == nil)
    }
}
