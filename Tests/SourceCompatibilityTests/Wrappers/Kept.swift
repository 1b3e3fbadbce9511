// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

// A wrapper in the style of about 2022: a property wrapper over Codable values, options in a structure, access control
// and a context in the query.

/// Where and how a value is kept.
struct KeepOptions {
    enum Accessibility: RawRepresentable, CaseIterable {
        case whenUnlocked, afterFirstUnlock, whenPasscodeSetThisDeviceOnly

        init?(rawValue: String) {
            guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = found
        }

        var rawValue: String {
            switch self {
            case .whenUnlocked: return String(kSecAttrAccessibleWhenUnlocked)
            case .afterFirstUnlock: return String(kSecAttrAccessibleAfterFirstUnlock)
            case .whenPasscodeSetThisDeviceOnly: return String(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
            }
        }
    }

    var service: String
    var accessibility = Accessibility.whenUnlocked
    var policy: SecAccessControlCreateFlags?
    var isSynchronizable = false
    var context: LAContext?

    fileprivate func accessControl() throws -> SecAccessControl? {
        guard let policy = policy else { return nil }
        var error: Unmanaged<CFError>?
        let protection = accessibility.rawValue as CFTypeRef
        guard let control = SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, policy, &error) else {
            if let error = error?.takeRetainedValue() { throw error as Error }
            throw KeepError.status(errSecAllocate)
        }
        return control
    }

    /// The query for an account; optional keys, as they come out of `as String?`.
    fileprivate func query(_ account: String) -> [String?: Any] {
        var query: [String?: Any] = [
            kSecClass as String?: kSecClassGenericPassword as Any,
            kSecAttrService as String?: service,
            kSecAttrAccount as String?: account,
            kSecAttrSynchronizable as String?: isSynchronizable ? kCFBooleanTrue as Any : kCFBooleanFalse as Any,
            kSecUseDataProtectionKeychain as String?: true,
        ]
        if let context = context { query[kSecUseAuthenticationContext as String] = context }
        return query
    }
}

enum KeepError: Error, Equatable {
    case status(OSStatus)
}

/// A value that lives in the keychain; nil while it is not there.
@propertyWrapper
struct Kept<Value: Codable> {
    let account: String
    let options: KeepOptions

    init(_ account: String, _ options: KeepOptions) {
        self.account = account
        self.options = options
    }

    var wrappedValue: Value? {
        get { return (try? read()) ?? nil }
        nonmutating set { try? write(newValue) }
    }

    var projectedValue: Kept { self }

    /// The attributes by keys of any kind, as Apple's own dictionaries have them.
    func attributes() throws -> [AnyHashable: Any] {
        var query = options.query(account)
        query[kSecReturnAttributes as String] = true
        return try copy(query) as? [AnyHashable: Any] ?? [:]
    }

    func read() throws -> Value? {
        var query = options.query(account)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        do {
            guard let data = try copy(query) as? Data else { return nil }
            return try JSONDecoder().decode([Value].self, from: data).first
        } catch KeepError.status(errSecItemNotFound) {
            return nil
        }
    }

    func write(_ value: Value?) throws {
        guard let value = value else {
            let status = SecItemDelete(options.query(account) as CFDictionary)
            guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw KeepError.status(status) }
            return
        }
        // An array, for a bare number is no JSON document to older decoders.
        let change: [String: Any] = [kSecValueData as String: try JSONEncoder().encode([value])]
        var status = SecItemUpdate(options.query(account) as CFDictionary, change as CFDictionary)
        if status == errSecItemNotFound {
            var attributes = options.query(account)
            attributes.merge(change.map { ($0.key as String?, $0.value) }, uniquingKeysWith: { $1 })
            if let control = try options.accessControl() {
                attributes[kSecAttrAccessControl as String] = control
            } else {
                attributes[kSecAttrAccessible as String] = options.accessibility.rawValue
            }
            status = SecItemAdd(attributes as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw KeepError.status(status) }
    }

    private func copy(_ query: [String?: Any]) throws -> AnyObject? {
        var result: AnyObject?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess else { throw KeepError.status(status) }
        return result
    }
}
