// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeychainWrappers
internal import KeyfobTestSupport
internal import Testing

@Suite struct LYKeychainToolTests {
    @Test(arguments: ["swordfish", "", "张三", "a\nb\u{0}c"])
    func `A saved string is read`(_ text: String) {
        withKeychain { _ in
            #expect(LYKeychainTool.saveKeychainValue(text, forKey: "k"))
            #expect(LYKeychainTool.readKeychainValue("k") == text)
        }
    }

    @Test func `Saving again replaces the string`() {
        withKeychain { keychain in
            LYKeychainTool.saveKeychainValue("old", forKey: "k")
            LYKeychainTool.saveKeychainValue("new", forKey: "k")
            #expect(LYKeychainTool.readKeychainValue("k") == "new")
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `Keys do not touch each other`() {
        withKeychain { _ in
            LYKeychainTool.saveKeychainValue("1", forKey: "a")
            LYKeychainTool.saveKeychainValue("2", forKey: "b")
            #expect(LYKeychainTool.deleteKeychainValue("a"))
            #expect(LYKeychainTool.readKeychainValue("a") == nil)
            #expect(LYKeychainTool.readKeychainValue("b") == "2")
        }
    }

    @Test func `Deleting nothing tells so`() {
        withKeychain { _ in #expect(!LYKeychainTool.deleteKeychainValue("k")) }
    }

    @Test func `Bytes that are no text are nil`() {
        withKeychain { _ in
            add("k", service: "k", value: Data([0xFF, 0xFE]))
            #expect(LYKeychainTool.readKeychainValue("k") == nil)
        }
    }

    @Test func `The string is UTF-8, readable after the first unlock`() {
        withKeychain { keychain in
            LYKeychainTool.saveKeychainValue("é", forKey: "k")
            #expect(keychain.items.first?.value == [0xC3, 0xA9])
            #expect(attributes()["pdmn"] as? String == "ck")
        }
    }
}
