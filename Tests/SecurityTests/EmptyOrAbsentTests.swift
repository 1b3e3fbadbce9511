// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct EmptyOrAbsentTests {
    @Test func `An empty account and none are the same`() {
        withKeychain { _ in
            add([kSecClass: kSecClassGenericPassword, kSecAttrService: "x"])
            #expect(add(passwords([kSecAttrService: "x", kSecAttrAccount: ""])) == errSecDuplicateItem)
            #expect(exists(passwords([kSecAttrAccount: ""])) == errSecSuccess)
            #expect(exists(passwords([kSecAttrAccount: Data()])) == errSecSuccess)
            #expect(attributes(passwords())["acct"] as? String == "")
        }
    }

    @Test func `Port 0 and none are the same`() {
        withKeychain { _ in
            let item: Query = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "h"]
            add(item)
            #expect(add(item.merging([kSecAttrPort: 0]) { _, new in new }) == errSecDuplicateItem)
            #expect(attributes(item)["port"] as? Int == 0)
            #expect(attributes(item)["ptcl"] as? Int == 0)
        }
    }

    @Test func `An empty label and none are not the same`() {
        withKeychain { _ in
            add(password("a"))
            #expect(exists(passwords([kSecAttrLabel: ""])) == errSecItemNotFound)
            #expect(attributes(passwords())["labl"] == nil)
            add(password("b", [kSecAttrLabel: ""]))
            #expect(attributes(passwords([kSecAttrLabel: ""]))["acct"] as? String == "b")
        }
    }

    @Test func `An empty value and none are not the same`() {
        withKeychain { _ in
            add(password("a", value: ""))
            add(password("b", value: nil))
            #expect(copying(password("a", value: nil, [kSecReturnData: true])).object as? Data == Data())
            #expect(copying(password("b", value: nil, [kSecReturnData: true])).object == nil)
        }
    }
}
