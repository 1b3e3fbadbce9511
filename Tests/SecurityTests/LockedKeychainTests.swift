// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Security
internal import Testing

@Suite struct LockedKeychainTests {
    /// Two items, the second of a class whose key is then locked.
    private func withLockedSecond(_ body: () -> Void) {
        withKeychain { keychain in
            add(password("open", [kSecAttrAccessible: kSecAttrAccessibleAlways]))
            add(password("locked"))
            keychain.locked = [.whenUnlocked]
            body()
        }
    }

    @Test func `A locked match is refused whatever is asked for`() {
        withLockedSecond {
            for key in [kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef, kSecReturnRef] {
                let query = password("locked", value: nil, [key: true])
                #expect(copying(query).status == errSecInteractionNotAllowed, "\(key)")
            }
            #expect(exists(password("locked", value: nil)) == errSecInteractionNotAllowed)
        }
    }

    @Test func `One locked match refuses the whole array`() {
        withLockedSecond {
            let (status, object) = copying(passwords([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
            #expect(status == errSecInteractionNotAllowed && object == nil)
        }
    }

    @Test func `With a limit of one the first match counts`() {
        withLockedSecond { #expect(value(passwords()) == "swordfish") }
    }

    @Test func `What does not match is not found even while locked`() {
        withLockedSecond { #expect(exists(password("nobody", value: nil)) == errSecItemNotFound) }
    }

    @Test func `A locked item cannot be updated, but deleted`() {
        withLockedSecond {
            #expect(update(passwords(), [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
            #expect(attributes(password("open", value: nil))["labl"] == nil)
            #expect(delete(password("locked", value: nil)) == errSecSuccess)
        }
    }
}
