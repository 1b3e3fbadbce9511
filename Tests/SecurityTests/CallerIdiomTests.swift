// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

/// Ways of calling that are common in programs written for Apple platforms.
@Suite struct CallerIdiomTests {
    private enum Failure: OSStatus {
        case parameter = -50
        case notFound = -25300
    }

    @Test func `A pointer that is made in place is filled`() {
        withKeychain { _ in
            add(password())
            let query = passwords([kSecReturnData: kCFBooleanTrue as Any]) as CFDictionary
            var found: AnyObject?
            let status = unsafe withUnsafeMutablePointer(to: &found) { place in
                unsafe SecItemCopyMatching(query, UnsafeMutablePointer(place))
            }
            #expect(status == errSecSuccess && found as? Data == Data("swordfish".utf8))
        }
    }

    @Test func `The calls fit variables of function type`() {
        let add: (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus = unsafe SecItemAdd
        let delete: (CFDictionary) -> OSStatus = SecItemDelete
        withKeychain { _ in
            let added = add(password() as CFDictionary, nil)
            #expect(added == errSecSuccess)
            #expect(delete(passwords() as CFDictionary) == errSecSuccess)
        }
    }

    @Test func `Statuses are raw values and cases of a switch`() {
        withKeychain { _ in
            #expect(Failure(rawValue: exists(passwords())) == .notFound)
            switch exists([:]) {
            case errSecSuccess, errSecItemNotFound: Issue.record("an empty query is malformed")
            case errSecParam: break
            default: Issue.record("an empty query is a bad parameter")
            }
        }
    }

    @Test func `Optional keys of text are keys`() {
        let query: [String?: Any] = [kSecClass as String?: kSecClassGenericPassword, "acct": "bob"]
        withKeychain { _ in
            #expect(add(query as NSDictionary) == errSecSuccess)
            #expect(exists(password(service: "", value: nil)) == errSecSuccess)
        }
    }

    @Test func `Values wrapped for hashing are values`() {
        let query: [String: AnyHashable] = [
            "class": "genp", "acct": AnyHashable("bob"), "labl": AnyHashable(Data([1])),
        ]
        withKeychain { _ in
            #expect(add(query as NSDictionary) == errSecSuccess)
            #expect(attributes(passwords())["labl"] as? Data == Data([1]))
        }
    }

    @Test func `A result casts to what callers cast it to`() throws {
        try withKeychain { _ in
            add(password())
            let query = passwords([
                kSecReturnAttributes: true, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
            ])
            let found = try #require(copying(query).object)
            #expect(found as? [[String: AnyObject]] != nil)
            #expect((found as? [[CFString: Any]])?.first?[kSecAttrAccount] as? String == "bob")
            #expect(
                (found as? [NSDictionary])?.first?[kSecValueData] as? NSData == NSData(data: Data("swordfish".utf8)))
            #expect((found as? NSArray)?.count == 1)
        }
    }
}
