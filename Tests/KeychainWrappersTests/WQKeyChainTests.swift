// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeychainWrappers
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct WQKeyChainTests {
    @Test func `A saved dictionary of strings is loaded`() {
        withKeychain { _ in
            #expect(WQKeyChain.save("login", data: ["用户": "张三", "pwd": "swordfish"]))
            #expect(WQKeyChain.load("login") as? [String: String] == ["用户": "张三", "pwd": "swordfish"])
        }
    }

    @Test func `Every class of a property list is loaded as it was saved`() throws {
        let uuid = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let graph: [String: Any] = [
            "text": "t", "number": 5, "data": Data([0, 1]), "date": date, "uuid": uuid, "null": NSNull(),
            "list": ["a", ["b"]], "url": URL(fileURLWithPath: "/tmp/x"),
        ]
        try withKeychain { _ in
            #expect(WQKeyChain.save("graph", data: graph))
            let loaded = try #require(WQKeyChain.load("graph") as? [String: Any])
            #expect(loaded["text"] as? String == "t" && loaded["number"] as? Int == 5)
            #expect(loaded["data"] as? Data == Data([0, 1]) && loaded["date"] as? Date == date)
            #expect(loaded["uuid"] as? UUID == uuid && loaded["null"] is NSNull)
            #expect((loaded["list"] as? [Any])?.count == 2 && loaded["url"] as? URL == URL(fileURLWithPath: "/tmp/x"))
        }
    }

    @Test func `Saving again replaces the graph`() {
        withKeychain { keychain in
            WQKeyChain.save("a", data: "old")
            WQKeyChain.save("a", data: "new")
            #expect(WQKeyChain.load("a") as? String == "new")
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `What was deleted or never saved is nil`() {
        withKeychain { _ in
            #expect(WQKeyChain.load("a") == nil)
            WQKeyChain.save("a", data: "x")
            WQKeyChain.delete("a")
            WQKeyChain.delete("a")
            #expect(WQKeyChain.load("a") == nil)
        }
    }

    @Test func `An item is named twice and readable after the first unlock`() {
        withKeychain { _ in
            WQKeyChain.save("name", data: "x")
            let found = attributes()
            #expect(found["svce"] as? String == "name" && found["acct"] as? String == "name")
            #expect(found["pdmn"] as? String == "ck")
        }
    }

    @Test(arguments: ["", "password", "bplist00", "\u{0}\u{1}", "<?xml version=\"1.0\"?><plist/>"])
    func `A value that is no archive is nil`(_ text: String) {
        withKeychain { _ in
            add("a", service: "a", value: Data(text.utf8))
            #expect(WQKeyChain.load("a") == nil)
        }
    }

    @Test func `Half an archive is nil`() throws {
        let whole = try NSKeyedArchiver.archivedData(withRootObject: ["a": "b"], requiringSecureCoding: true)
        withKeychain { _ in
            add("a", service: "a", value: whole.prefix(whole.count / 2))
            #expect(WQKeyChain.load("a") == nil)
        }
    }

    @Test func `An archive of another class is nil`() throws {
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: NSMeasurement(doubleValue: 1, unit: Unit(symbol: "m")), requiringSecureCoding: false)
        withKeychain { _ in
            add("a", service: "a", value: archive)
            #expect(WQKeyChain.load("a") == nil)
        }
    }

    @Test func `A graph with an object of another class is not saved`() {
        withKeychain { keychain in
            #expect(!WQKeyChain.save("a", data: ["ok": "x", "bad": NSObject()]))
            #expect(!WQKeyChain.save("a", data: [NSObject()]))
            #expect(keychain.items.isEmpty)
        }
    }

    @Test func `A refused save keeps the old graph`() {
        withKeychain { keychain in
            WQKeyChain.save("a", data: "old")
            keychain.locked = [.afterFirstUnlock]
            #expect(!WQKeyChain.save("a", data: "new"))
            #expect(WQKeyChain.load("a") == nil)
            keychain.locked = []
            #expect(WQKeyChain.load("a") as? String == "old")
        }
    }

    @Test func `Both names are one wrapper`() {
        withKeychain { _ in
            CHKeychain.save("a", data: "x")
            #expect(WQKeyChain.load("a") as? String == "x")
        }
    }
}
