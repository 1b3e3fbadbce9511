// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeychainWrappers
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct SFHFKeychainUtilsTests {
    /// What a call gives, and the code of the error it sets.
    private func result<R>(_ call: (UnsafeMutablePointer<NSError?>) -> R) -> (value: R, code: Int?) {
        var error: NSError? = NSError(domain: "left over", code: 1)
        let value = unsafe withUnsafeMutablePointer(to: &error) { unsafe call($0) }
        #expect(error == nil || error?.domain == "SFHFKeychainUtilsErrorDomain")
        return (value, error?.code)
    }

    private func password(_ username: String?, _ service: String?) -> (value: String?, code: Int?) {
        unsafe result { unsafe SFHFKeychainUtils.getPasswordForUsername(username, andServiceName: service, error: $0) }
    }

    private func store(
        _ username: String?, _ password: String?, _ service: String?, updating: Bool = true
    ) -> (value: Bool, code: Int?) {
        unsafe result {
            unsafe SFHFKeychainUtils.storeUsername(
                username, andPassword: password, forServiceName: service, updateExisting: updating, error: $0)
        }
    }

    private func delete(_ username: String?, _ service: String?) -> (value: Bool, code: Int?) {
        unsafe result { unsafe SFHFKeychainUtils.deleteItemForUsername(username, andServiceName: service, error: $0) }
    }

    private func purge(_ service: String?) -> (value: Bool, code: Int?) {
        unsafe result { unsafe SFHFKeychainUtils.purgeItemsForServiceName(service, error: $0) }
    }

    @Test func `A stored password is read, labelled with its service`() {
        withKeychain { _ in
            #expect(store("bob", "swordfish", "shop") == (true, nil))
            #expect(password("bob", "shop") == ("swordfish", nil))
            #expect(attributes()["labl"] as? String == "shop")
            #expect(attributes()["pdmn"] as? String == "ak")
        }
    }

    @Test func `An argument that is nil is told as -2000`() {
        withKeychain { _ in
            #expect(password(nil, "s") == (nil, -2000))
            #expect(password("u", nil) == (nil, -2000))
            #expect(store(nil, "p", "s") == (false, -2000))
            #expect(store("u", nil, "s") == (false, -2000))
            #expect(store("u", "p", nil) == (false, -2000))
            unsafe #expect(
                result { unsafe SFHFKeychainUtils.deleteItemForUsername("u", andServiceName: nil, error: $0) }
                    == (false, -2000))
            unsafe #expect(
                result { unsafe SFHFKeychainUtils.purgeItemsForServiceName(nil, error: $0) } == (false, -2000))
        }
    }

    @Test func `No item is nil without an error`() {
        withKeychain { _ in #expect(password("bob", "shop") == (nil, nil)) }
    }

    @Test func `An item without a password is told as -1999`() {
        withKeychain { _ in
            add("bob", service: "shop", value: nil)
            #expect(password("bob", "shop") == (nil, -1999))
        }
    }

    @Test func `Storing over an item without a password replaces it`() {
        withKeychain { keychain in
            add("bob", service: "shop", value: nil)
            #expect(store("bob", "swordfish", "shop") == (true, nil))
            #expect(password("bob", "shop") == ("swordfish", nil))
            #expect(keychain.items.count == 1)
        }
    }

    @Test func `Another failure is told by its status`() {
        withKeychain { keychain in
            #expect(store("bob", "swordfish", "shop") == (true, nil))
            keychain.locked = [.whenUnlocked]
            #expect(password("bob", "shop") == (nil, Int(errSecInteractionNotAllowed)))
            #expect(store("bob", "other", "shop") == (false, Int(errSecInteractionNotAllowed)))
        }
    }

    @Test func `A password is replaced if asked for, and else kept with success`() {
        withKeychain { _ in
            #expect(store("bob", "old", "shop") == (true, nil))
            #expect(store("bob", "new", "shop", updating: false) == (true, nil))
            #expect(password("bob", "shop").value == "old")
            #expect(store("bob", "new", "shop") == (true, nil))
            #expect(password("bob", "shop").value == "new")
        }
    }

    @Test func `An equal password is not written`() {
        withKeychain { keychain in
            #expect(store("bob", "same", "shop") == (true, nil))
            keychain.now += 10
            #expect(store("bob", "same", "shop") == (true, nil))
            #expect(attributes()["mdat"] as? Date == attributes()["cdat"] as? Date)
        }
    }

    @Test func `A deleted item is gone, and a second time not found`() {
        withKeychain { _ in
            #expect(store("bob", "p", "shop") == (true, nil))
            #expect(delete("bob", "shop") == (true, nil))
            #expect(delete("bob", "shop") == (false, Int(errSecItemNotFound)))
        }
    }

    @Test func `Purging a service deletes its items only`() {
        withKeychain { keychain in
            for user in ["a", "b"] { #expect(store(user, "p", "shop") == (true, nil)) }
            #expect(store("a", "p", "mail") == (true, nil))
            #expect(purge("shop") == (true, nil))
            #expect(keychain.items.count == 1)
            #expect(purge("shop") == (false, Int(errSecItemNotFound)))
        }
    }

    @Test func `Without a place for an error the answers are the same`() {
        withKeychain { _ in
            let found = unsafe SFHFKeychainUtils.getPasswordForUsername("a", andServiceName: "s")
            let deleted = unsafe SFHFKeychainUtils.deleteItemForUsername("a", andServiceName: "s")
            #expect(found == nil && !deleted)
        }
    }
}
