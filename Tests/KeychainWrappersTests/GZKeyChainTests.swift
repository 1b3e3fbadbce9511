// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeychainWrappers
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct GZKeyChainTests {
    @Test func `A saved name is loaded, whatever its script`() {
        withKeychain { _ in
            for name in ["张三", "bob", "", "Zoë", "👩‍👩‍👧"] {
                #expect(GZKeyChain.saveUserName(name, pwd: "of \(name)"))
                #expect(GZKeyChain.loadPwdForUserName(name) == "of \(name)")
            }
            #expect(GZKeyChain.loadAccountInfo().count == 5)
        }
    }

    @Test func `Saving a name twice replaces its password`() {
        withKeychain { keychain in
            GZKeyChain.saveUserName("张三", pwd: "old")
            #expect(GZKeyChain.saveUserName("张三", pwd: "new"))
            #expect(GZKeyChain.loadPwdForUserName("张三") == "new")
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `All names are loaded with their passwords`() {
        withKeychain { _ in
            GZKeyChain.saveUserName("a", pwd: "1")
            GZKeyChain.saveUserName("b", pwd: "2")
            #expect(GZKeyChain.loadAccountInfo() == ["a": "1", "b": "2"])
        }
    }

    @Test func `Nothing saved is an empty map and no password`() {
        withKeychain { _ in
            #expect(GZKeyChain.loadAccountInfo().isEmpty)
            #expect(GZKeyChain.loadPwdForUserName("a") == nil)
        }
    }

    @Test func `Services keep their names apart`() {
        withKeychain { _ in
            GZKeyChain.saveUserName("a", pwd: "default")
            GZKeyChain.saveUserName("a", pwd: "mail", service: "mail")
            #expect(GZKeyChain.loadPwdForUserName("a", service: "mail") == "mail")
            #expect(GZKeyChain.loadAccountInfoWithService("mail") == ["a": "mail"])
            #expect(GZKeyChain.removeAllWithService("mail"))
            #expect(GZKeyChain.loadAccountInfoWithService("mail").isEmpty)
            #expect(GZKeyChain.loadPwdForUserName("a") == "default")
        }
    }

    @Test func `A call without a service means the default one`() {
        withKeychain { _ in
            GZKeyChain.saveUserName("a", pwd: "x")
            #expect(GZKeyChain.loadPwdForUserName("a", service: GZKeyChain.defaultService) == "x")
        }
    }

    @Test func `A removed name is gone, the others stay`() {
        withKeychain { _ in
            GZKeyChain.saveUserName("a", pwd: "1")
            GZKeyChain.saveUserName("b", pwd: "2")
            #expect(GZKeyChain.removeForUserName("a"))
            #expect(GZKeyChain.loadAccountInfo() == ["b": "2"])
            GZKeyChain.saveUserName("c", pwd: "3", service: "s")
            #expect(GZKeyChain.removeForUserName("c", service: "s"))
            #expect(GZKeyChain.loadAccountInfoWithService("s").isEmpty)
        }
    }

    @Test func `Removing all leaves none, and is no failure when there is none`() {
        withKeychain { keychain in
            GZKeyChain.saveUserName("a", pwd: "1")
            GZKeyChain.saveUserName("b", pwd: "2")
            #expect(GZKeyChain.removeAll())
            #expect(keychain.items.isEmpty)
            #expect(GZKeyChain.removeAll())
            #expect(GZKeyChain.removeForUserName("a"))
        }
    }

    @Test func `Other passwords of the service are neither loaded nor removed`() {
        withKeychain { keychain in
            add("other", service: GZKeyChain.defaultService, value: Data("x".utf8))
            GZKeyChain.saveUserName("a", pwd: "1")
            #expect(GZKeyChain.loadAccountInfo() == ["a": "1"])
            GZKeyChain.removeAll()
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `Names are readable after the first unlock`() {
        withKeychain { _ in
            GZKeyChain.saveUserName("a", pwd: "1")
            #expect(attributes()["pdmn"] as? String == "ck")
        }
    }

    @Test func `A locked keychain saves nothing`() {
        withKeychain { keychain in
            keychain.locked = [.afterFirstUnlock]
            #expect(!GZKeyChain.saveUserName("a", pwd: "1"))
            #expect(keychain.items.isEmpty)
        }
    }
}
