// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeychainWrappers
internal import KeyfobTestSupport
internal import Security
internal import Testing

// Serialized: the accessibility that one test sets holds for the whole process.
@Suite(.serialized) struct SAMKeychainTests {
    /// What a call gives, and the error it sets.
    private func result<R>(_ call: (UnsafeMutablePointer<NSError?>) -> R) -> (value: R, error: NSError?) {
        var error: NSError?
        let value = unsafe withUnsafeMutablePointer(to: &error) { unsafe call($0) }
        return (value, error)
    }

    @Test func `A password is set, read as text and as bytes, and replaced`() {
        withKeychain { keychain in
            let done = unsafe SAMKeychain.setPassword("old", forService: "shop", account: "bob")
            #expect(done)
            let again = unsafe SAMKeychain.setPassword("neu: ü", forService: "shop", account: "bob")
            #expect(again)
            unsafe #expect(SAMKeychain.passwordForService("shop", account: "bob") == "neu: ü")
            unsafe #expect(SAMKeychain.passwordDataForService("shop", account: "bob") == Data("neu: ü".utf8))
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `Swift's names are the same calls`() {
        withKeychain { _ in
            unsafe SAMKeychain.setPasswordData(Data([0xFF]), forService: "shop", account: "bob")
            #expect(SAMKeychain.passwordData(forService: "shop", account: "bob") == Data([0xFF]))
            #expect(SAMKeychain.password(forService: "shop", account: "bob") == nil)
            #expect(SAMKeychain.accounts(forService: "shop")?.count == 1)
            #expect(SAMKeychain.deletePassword(forService: "shop", account: "bob"))
        }
    }

    @Test func `Not found is nil and errSecItemNotFound`() {
        withKeychain { _ in
            let (value, error) = unsafe result { unsafe SAMKeychain.passwordForService("s", account: "a", error: $0) }
            #expect(value == nil && error?.code == -25300 && error?.domain == "com.samsoffes.samkeychain")
            let deleted = unsafe result { unsafe SAMKeychain.deletePasswordForService("s", account: "a", error: $0) }
            #expect(!deleted.value && deleted.error?.code == -25300)
            let all = unsafe result { unsafe SAMKeychain.allAccounts($0) }
            #expect(all.value == nil && all.error?.code == -25300)
        }
    }

    @Test func `An argument that is nil is told as -1001`() {
        withKeychain { _ in
            let codes = unsafe [
                result { unsafe SAMKeychain.passwordForService(nil, account: "a", error: $0) == nil },
                unsafe result { unsafe SAMKeychain.passwordForService("s", account: nil, error: $0) == nil },
                unsafe result { unsafe !SAMKeychain.setPassword(nil, forService: "s", account: "a", error: $0) },
                unsafe result { unsafe !SAMKeychain.setPassword("p", forService: nil, account: "a", error: $0) },
                unsafe result { unsafe !SAMKeychain.deletePasswordForService("s", account: nil, error: $0) },
            ]
            for (failed, error) in codes {
                #expect(failed && error?.code == -1001 && error?.localizedDescription.isEmpty == false)
            }
        }
    }

    @Test func `A status has its text`() {
        withKeychain { _ in
            let (_, error) = unsafe result { unsafe SAMKeychain.passwordForService("s", account: "a", error: $0) }
            #expect(error?.localizedDescription == "The specified item could not be found in the keychain.")
        }
    }

    @Test func `An empty password is nil without an error`() {
        withKeychain { _ in
            unsafe SAMKeychain.setPassword("", forService: "s", account: "a")
            let (value, error) = unsafe result { unsafe SAMKeychain.passwordForService("s", account: "a", error: $0) }
            #expect(value == nil && error == nil)
        }
    }

    @Test func `Accounts are listed for one service or for all`() {
        withKeychain { _ in
            for (service, account) in [("shop", "a"), ("shop", "b"), ("mail", "c")] {
                unsafe SAMKeychain.setPassword("p", forService: service, account: account)
            }
            let accounts = unsafe SAMKeychain.accountsForService("shop")?.map { $0[kSAMKeychainAccountKey] as? String }
            #expect(accounts == ["a", "b"])
            unsafe #expect(SAMKeychain.allAccounts()?.count == 3)
            unsafe #expect(SAMKeychain.allAccounts()?.first?[kSAMKeychainWhereKey] as? String == "shop")
            unsafe #expect(SAMKeychain.allAccounts()?.first?[kSAMKeychainCreatedAtKey] is Date)
        }
    }

    @Test func `The accessibility of the process is used to save and to list, not to fetch and delete`() {
        SAMKeychain.setAccessibilityType(kSecAttrAccessibleAfterFirstUnlock)
        defer { SAMKeychain.setAccessibilityType(nil) }
        withKeychain { _ in
            add("other", service: "shop", value: Data("x".utf8))
            unsafe SAMKeychain.setPassword("p", forService: "shop", account: "mine")
            #expect(attributes([kSecAttrAccount: "mine"])["pdmn"] as? String == "ck")
            unsafe #expect(SAMKeychain.accountsForService("shop")?.count == 1)
            unsafe #expect(SAMKeychain.passwordForService("shop", account: "other") == "x")
            let done = unsafe SAMKeychain.deletePasswordForService("shop", account: "other")
            #expect(done)
            #expect(SAMKeychain.accessibilityType() == kSecAttrAccessibleAfterFirstUnlock)
        }
    }

    @Test func `Without an accessibility the keychain's default holds`() {
        withKeychain { _ in
            #expect(SAMKeychain.accessibilityType() == nil)
            unsafe SAMKeychain.setPassword("p", forService: "s", account: "a")
            #expect(attributes()["pdmn"] as? String == "ak")
        }
    }

    @Test func `The older name has the older domain and shares the items`() {
        withKeychain { _ in
            let done = unsafe SSKeychain.setPassword("p", forService: "s", account: "a")
            #expect(done)
            unsafe #expect(SAMKeychain.passwordForService("s", account: "a") == "p")
            let (_, error) = unsafe result { unsafe SSKeychain.passwordForService("x", account: "a", error: $0) }
            #expect(error?.domain == kSSKeychainErrorDomain)
        }
    }
}
