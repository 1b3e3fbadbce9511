// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct ResultShapeTests {
    /// What a copy returns with those return keys, from a keychain with one item.
    private func shape(_ keys: [CFString], all: Bool = false) -> (status: OSStatus, object: AnyObject?) {
        withKeychain { _ in
            add(password())
            var query = passwords()
            for key in keys { query[key] = true }
            if all { query[kSecMatchLimit] = kSecMatchLimitAll }
            return copying(query)
        }
    }

    private func members(_ keys: [CFString]) -> Set<String> {
        Set((shape(keys).object as? [String: Any] ?? [:]).keys)
    }

    private static let attributeNames: Set<String> = [
        "acct", "svce", "agrp", "pdmn", "cdat", "mdat", "sync", "tomb", "musr", "accc",
    ]

    @Test func `No return key tells only that there is a match`() {
        for all in [false, true] {
            let (status, object) = shape([], all: all)
            #expect(status == errSecSuccess && object == nil)
        }
    }

    @Test func `A false return key is as none`() {
        withKeychain { _ in
            add(password())
            #expect(copying(passwords([kSecReturnData: false, kSecReturnAttributes: false])).object == nil)
            let (_, object) = copying(passwords([kSecReturnData: true, kSecReturnAttributes: false]))
            #expect(object is Data)
        }
    }

    @Test func `Data alone is the value`() {
        #expect(shape([kSecReturnData]).object as? Data == Data("swordfish".utf8))
    }

    @Test func `Attributes alone are a dictionary without value, reference and class`() {
        #expect(members([kSecReturnAttributes]) == Self.attributeNames)
    }

    @Test func `A persistent reference alone is data of 20 bytes that begin with the class`() throws {
        let found = try #require(shape([kSecReturnPersistentRef]).object as? Data)
        #expect(found.count == 20 && found.prefix(4) == Data("genp".utf8))
    }

    @Test func `A reference alone is nil for passwords, or an empty array`() {
        let (status, object) = shape([kSecReturnRef])
        #expect(status == errSecSuccess && object == nil)
        #expect((shape([kSecReturnRef], all: true).object as? [Any])?.isEmpty == true)
    }

    @Test func `Data and attributes are a dictionary with value and digest`() {
        #expect(members([kSecReturnData, kSecReturnAttributes]) == Self.attributeNames.union(["v_Data", "sha1"]))
    }

    @Test func `Data and a persistent reference are a dictionary of both`() {
        #expect(members([kSecReturnData, kSecReturnPersistentRef]).isSuperset(of: ["v_Data", "v_PersistentRef"]))
    }

    @Test func `Attributes and a persistent reference are a dictionary of both`() {
        let expected = Self.attributeNames.union(["v_PersistentRef"])
        #expect(members([kSecReturnAttributes, kSecReturnPersistentRef]) == expected)
    }

    @Test func `All three are a dictionary of all`() {
        let found = members([kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef])
        #expect(found.isSuperset(of: Self.attributeNames.union(["v_Data", "v_PersistentRef"])))
        #expect(!found.contains("class"))
    }

    @Test func `A reference with anything is a dictionary that names the class`() {
        #expect(members([kSecReturnRef, kSecReturnData]) == ["class", "v_Data"])
        #expect(members([kSecReturnRef, kSecReturnPersistentRef]) == ["class", "v_PersistentRef"])
        #expect(members([kSecReturnRef, kSecReturnAttributes]) == Self.attributeNames.union(["class"]))
        #expect((shape([kSecReturnRef, kSecReturnData]).object as? [String: Any])?["class"] as? String == "genp")
    }

    @Test func `Many items each have the shape of one`() {
        withKeychain { _ in
            for account in ["a", "b"] { add(password(account, value: account)) }
            let all: Query = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true]
            #expect(copying(passwords(all)).object as? [Data] == [Data("a".utf8), Data("b".utf8)])
            let (_, object) = copying(passwords(all.merging([kSecReturnAttributes: true]) { _, new in new }))
            let dictionaries = object as? [[String: Any]]
            #expect(dictionaries?.map { $0["v_Data"] as? Data } == [Data("a".utf8), Data("b".utf8)])
            #expect(dictionaries?.map { $0["acct"] as? String } == ["a", "b"])
        }
    }

    @Test func `Without a pointer for the result the return keys are legal and nothing is read`() {
        withKeychain { _ in
            add(password())
            #expect(exists(passwords([kSecReturnData: true, kSecReturnAttributes: true])) == errSecSuccess)
        }
    }

    @Test func `The members have Foundation's types`() {
        let found = shape([kSecReturnAttributes]).object as? NSDictionary
        #expect(found?["acct"] is String && found?["cdat"] is Date && found?["sync"] as? NSNumber == 0)
        #expect(found?["musr"] is Data && found?["accc"] is SecAccessControl)
    }

    // MARK: - Items without a value

    @Test func `Data of an item without a value is nil`() {
        withKeychain { _ in
            add(password(value: nil))
            let (status, object) = copying(passwords([kSecReturnData: true]))
            #expect(status == errSecSuccess && object == nil)
        }
    }

    @Test func `Items without a value are left out of an array of data, even all of them`() {
        withKeychain { _ in
            add(password("a", value: nil))
            let query = passwords([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
            #expect((copying(query).object as? [Data])?.isEmpty == true)
            add(password("b", value: "v"))
            #expect(copying(query).object as? [Data] == [Data("v".utf8)])
        }
    }

    @Test func `Data and attributes of an item without a value have no value`() {
        withKeychain { _ in
            add(password(value: nil))
            let (_, object) = copying(passwords([kSecReturnData: true, kSecReturnAttributes: true]))
            let found = object as? [String: Any]
            #expect(found?["acct"] as? String == "bob" && found?["v_Data"] == nil)
        }
    }
}
