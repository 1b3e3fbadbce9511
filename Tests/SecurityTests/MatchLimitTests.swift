// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct MatchLimitTests {
    /// What a copy of the accounts of three items gives with that limit.
    private func accounts(_ limit: Any?) -> (OSStatus, Any?) {
        withKeychain { _ in
            for account in ["a", "b", "c"] { add(password(account)) }
            var query = passwords([kSecReturnAttributes: true])
            if let limit { query[kSecMatchLimit] = limit }
            let (status, object) = copying(query)
            if let many = object as? [[String: Any]] { return (status, many.map { $0["acct"] as? String }) }
            return (status, (object as? [String: Any])?["acct"])
        }
    }

    @Test func `Without a limit, with one and with 1 the first match comes bare`() {
        for limit: Any? in [nil, kSecMatchLimitOne, "m_LimitOne", 1, NSNumber(value: 1)] {
            let (status, found) = accounts(limit)
            #expect(status == errSecSuccess && found as? String == "a", "\(String(describing: limit))")
        }
    }

    @Test func `With all, -1 or a number beyond all matches come in the order they were added`() {
        for limit: Any in [kSecMatchLimitAll, "m_LimitAll", -1, 3, 100, Int.max] {
            let (status, found) = accounts(limit)
            #expect(status == errSecSuccess && found as? [String] == ["a", "b", "c"], "\(limit)")
        }
    }

    @Test func `With 2 the first two come`() {
        #expect(accounts(2).1 as? [String] == ["a", "b"])
    }

    @Test func `With 0 nothing is found`() {
        #expect(accounts(0).0 == errSecItemNotFound)
    }

    @Test func `Any other limit is a bad parameter`() {
        for limit: Any in [true, false, "2", "all", "", -2, Int.min, 1.5, Data(), [1]] {
            #expect(accounts(limit).0 == errSecParam, "\(limit)")
        }
    }

    @Test func `One match comes in an array if many were asked for`() {
        withKeychain { _ in
            add(password())
            let (_, object) = copying(passwords([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(object as? [Data] == [Data("swordfish".utf8)])
        }
    }

    @Test func `No match leaves the result alone, and is never an empty array`() {
        withKeychain { _ in
            var object: AnyObject? = NSString("untouched")
            let query = passwords([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &object)
            #expect(status == errSecItemNotFound && object as? String == "untouched")
        }
    }
}
