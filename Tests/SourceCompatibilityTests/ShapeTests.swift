// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import KeyfobTestSupport
import Security
import Testing

/// Shapes of arguments and results that wrappers differ in, each against the engine.
@Suite(.lendsTokens) struct ShapeTests {
    private let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "shop",
        kSecAttrAccount as String: "ada", kSecValueData as String: Data("swordfish".utf8),
    ]

    private func find(_ more: [CFString: Any]) throws -> AnyObject? {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada"]
        query.merge(more) { $1 }
        var result: CFTypeRef?
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        return result
    }

    private func withItem<R>(_ body: () throws -> R) throws -> R {
        try withOwnKeychain { _ in
            #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
            return try body()
        }
    }

    @Test func `Data casts to both kinds of data`() throws {
        try withItem {
            let result = try find([kSecReturnData: true])
            #expect(result as? Data == Data("swordfish".utf8))
            #expect((result as! NSData).length == 9)
            #expect(String(data: result as! Data, encoding: .utf8) == "swordfish")
        }
    }

    @Test func `Attributes cast to dictionaries of every kind`() throws {
        try withItem {
            let result = try find([kSecReturnAttributes: true, kSecReturnData: true])
            #expect((result as! [String: Any])["acct"] as? String == "ada")
            #expect((result as! [String: AnyObject])[kSecAttrAccount as String] as? String == "ada")
            #expect((result as! [CFString: Any])[kSecValueData] as? Data == Data("swordfish".utf8))
            #expect((result as! [NSString: AnyObject])[kSecAttrAccount] as? NSString == "ada")
            #expect((result as! [AnyHashable: Any])[kSecAttrAccount] as? String == "ada")
            #expect((result as! NSDictionary)[kSecAttrAccount] as? String == "ada")
            #expect((result as! NSDictionary).object(forKey: kSecAttrService as String) as? String == "shop")
        }
    }

    @Test func `A list casts to arrays of every kind`() throws {
        try withItem {
            let result = try find([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll])
            #expect((result as! [[String: Any]]).count == 1)
            #expect((result as? [[String: AnyObject]])?.first?["acct"] as? String == "ada")
            #expect((result as! NSArray).count == 1)
            #expect((result as! [AnyObject]).first is NSDictionary)
            let data = try find([kSecReturnData: true, kSecMatchLimit: 10])
            #expect(data as! [Data] == [Data("swordfish".utf8)])
        }
    }

    @Test func `A persistent reference finds its item`() throws {
        try withItem {
            let reference = try find([kSecReturnPersistentRef: kCFBooleanTrue as Any]) as! Data
            let query = [kSecValuePersistentRef: reference, kSecReturnData: true] as [CFString: Any] as CFDictionary
            var result: AnyObject?
            #expect(SecItemCopyMatching(query, &result) == noErr)
            #expect(result as? Data == Data("swordfish".utf8))
        }
    }

    @Test func `Dictionaries of every kind are queries`() throws {
        try withItem {
            let strings: [String: String] = ["class": "genp", "acct": "ada"]
            let objects: [String: NSObject] = ["class": kSecClassGenericPassword, "acct": "ada" as NSString]
            let hashables: [AnyHashable: Any] = [kSecClass: kSecClassGenericPassword, "acct": "ada"]
            let values: [String: AnyHashable] = ["class": kSecClassGenericPassword, "acct": "ada"]
            let optionals: [String?: Any] = [kSecClass as String?: kSecClassGenericPassword, "acct": "ada"]
            let mutable = NSMutableDictionary(dictionary: strings)
            for query in [
                strings as CFDictionary, objects as CFDictionary, hashables as CFDictionary, values as CFDictionary,
                optionals as CFDictionary, mutable, mutable as CFDictionary,
            ] {
                #expect(SecItemCopyMatching(query, nil) == errSecSuccess)
            }
        }
    }

    @Test func `Booleans of every kind are booleans`() throws {
        let truths: [Any] = [true, kCFBooleanTrue as Any, kCFBooleanTrue!, NSNumber(value: true), true as CFBoolean]
        try withItem {
            for yes in truths {
                let found = try find([kSecReturnData: yes])
                #expect(found as? Data == Data("swordfish".utf8))
            }
            let nothing = try find([kSecReturnData: kCFBooleanFalse as Any])
            #expect(nothing == nil)
        }
    }

    @Test func `The item that was added comes back from the call`() throws {
        try withOwnKeychain { _ in
            var attributes = item
            attributes[kSecReturnAttributes as String] = true
            var result: CFTypeRef?
            #expect(SecItemAdd(attributes as CFDictionary, &result) == errSecSuccess)
            let returned = result as! [String: Any]
            #expect(returned[kSecAttrAccount as String] as? String == "ada")
            #expect(returned[kSecAttrAccessGroup as String] as? String == "com.example.app")
        }
    }
}
