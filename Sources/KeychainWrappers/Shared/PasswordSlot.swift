// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// The one generic password of a service and an account, as the small wrappers use it: readable after the first unlock.
struct PasswordSlot {
    let service: String
    let account: String

    private var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
    }

    /// Puts the value in place of the one that is there, if any; the old value stays if the call fails.
    func store(_ value: Data, marks: [CFString: Any] = [:]) -> OSStatus {
        var content = marks
        content[kSecValueData] = value
        content[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
        let updated = SecItemUpdate(query as CFDictionary, content as CFDictionary)
        guard updated == errSecItemNotFound else { return updated }
        let added = SecItemAdd(query.merging(content) { _, new in new } as CFDictionary, nil)
        // Another writer was first: its value is replaced as any other.
        return added == errSecDuplicateItem ? SecItemUpdate(query as CFDictionary, content as CFDictionary) : added
    }

    /// The value; nil with `errSecItemNotFound` if there is none.
    func load() -> (status: OSStatus, value: Data?) {
        var question = query
        question[kSecReturnData] = true
        question[kSecMatchLimit] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(question as CFDictionary, &found)
        return (status, found as? Data)
    }

    /// Takes the item away; `errSecItemNotFound` if there is none.
    func delete() -> OSStatus { SecItemDelete(query as CFDictionary) }
}
