// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import Security

/// One generic password with its attributes, found by an identifier (the wrapper of Apple's sample code).
///
/// The identifier is `kSecAttrGeneric`, which is no part of an item's primary key: two wrappers with different
/// identifiers and the same account and service are one item to the keychain, and the second write fails. Set the
/// account or the service first. The original stops the program when the keychain refuses; here `status` tells.
///
/// Objects are not shared between threads.
public final class KeychainItemWrapper {
    /// The status of the last call that touched the keychain.
    public private(set) var status: OSStatus = errSecSuccess

    private let genericQuery: [String: Any]
    /// The item as it is, or will be: attributes under their names, the secret as a string.
    private var item: [String: Any]
    private var isStored = false

    /// Looks for the item with that identifier, in one access group or in all of the caller's; stores nothing.
    public init(identifier: String, accessGroup: String?) {
        var query: [String: Any] = [Key.class: kSecClassGenericPassword, Key.generic: identifier]
        if let accessGroup { query[Key.accessGroup] = accessGroup }
        genericQuery = query
        item = [:]
        if let found = readAttributes() {
            item = found
            item[Key.value] = readSecret(of: found)
            isStored = true
        } else {
            clear()
        }
    }

    /// Sets an attribute, or the secret (`kSecValueData`, a string), and writes the item at once.
    ///
    /// Nil and a value that is there already do nothing. A new accessibility replaces an access control.
    public func setObject(_ object: Any?, forKey key: Any) {
        guard let object, let key = key as? String else { return }
        if let present = item[key] as? NSObject, present.isEqual(object) { return }
        if key == Key.accessible { item[Key.accessControl] = nil }
        item[key] = object
        write()
    }

    /// An attribute, or the secret, as this object knows it; the keychain is not asked.
    public func object(forKey key: Any) -> Any? {
        guard let key = key as? String else { return nil }
        return item[key]
    }

    /// Deletes the item, if there is one, and empties account, label, description and secret here.
    public func resetKeychainItem() {
        if isStored {
            let deleted = SecItemDelete(keyQuery(of: item) as CFDictionary)
            status = deleted == errSecItemNotFound ? errSecSuccess : deleted
            _ = WrapperLog.succeeded(status, "KeychainItemWrapper.resetKeychainItem")
            isStored = false
        }
        clear()
    }

    // MARK: - The keychain

    private func write() {
        var content = item
        content[Key.class] = nil
        if let secret = item[Key.value] as? String { content[Key.value] = Data(secret.utf8) }
        if let found = readAttributes() {
            status = SecItemUpdate(keyQuery(of: found) as CFDictionary, content as CFDictionary)
        } else if status == errSecItemNotFound {
            content[Key.class] = kSecClassGenericPassword
            status = SecItemAdd(content as CFDictionary, nil)
        }
        if WrapperLog.succeeded(status, "KeychainItemWrapper.setObject") { isStored = true }
    }

    private func readAttributes() -> [String: Any]? {
        var query = genericQuery
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnAttributes as String] = true
        return copy(query) as? [String: Any]
    }

    private func readSecret(of attributes: [String: Any]) -> String {
        var query = keyQuery(of: attributes)
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecReturnData as String] = true
        guard let bytes = copy(query) as? Data else { return "" }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        WrapperLog.report("KeychainItemWrapper.init", "the secret is no UTF-8")
        return ""
    }

    private func copy(_ query: [String: Any]) -> CFTypeRef? {
        var found: CFTypeRef?
        status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        return found
    }

    /// What names the item and nothing that a write moves: with the modification date of an old read nothing is found.
    private func keyQuery(of attributes: [String: Any]) -> [String: Any] {
        var query = genericQuery
        for key in [Key.account, Key.service, Key.accessGroup, Key.synchronizable] { query[key] = attributes[key] }
        return query
    }

    private func clear() {
        for key in [Key.account, Key.label, Key.description, Key.value] { item[key] = "" }
        for key in [Key.generic, Key.accessGroup] where genericQuery[key] != nil { item[key] = genericQuery[key] }
    }

    private enum Key {
        static let `class` = kSecClass as String
        static let generic = kSecAttrGeneric as String
        static let accessGroup = kSecAttrAccessGroup as String
        static let account = kSecAttrAccount as String
        static let service = kSecAttrService as String
        static let synchronizable = kSecAttrSynchronizable as String
        static let label = kSecAttrLabel as String
        static let description = kSecAttrDescription as String
        static let accessible = kSecAttrAccessible as String
        static let accessControl = kSecAttrAccessControl as String
        static let value = kSecValueData as String
    }
}
