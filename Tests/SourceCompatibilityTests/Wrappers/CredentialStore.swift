// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Security

// A wrapper in the style of about 2019: a protocol for what is stored, an enumeration of errors whose raw values are
// status codes, results as values, the four functions behind variables so that tests can replace them.

/// What went wrong, by the status.
enum CredentialStoreError: OSStatus, Error, LocalizedError {
    case parameter = -50
    case notAvailable = -25291
    case duplicateItem = -25299
    case itemNotFound = -25300
    case interactionNotAllowed = -25308
    case missingEntitlement = -34018
    case unimplemented = -4
    case unexpected = -1

    init(status: OSStatus) {
        self = CredentialStoreError(rawValue: status) ?? .unexpected
    }

    var errorDescription: String? {
        SecCopyErrorMessageString(rawValue, nil) as String?
    }
}

/// Something that the store can hold.
protocol Storable {
    init(storedData: Data) throws
    func storedData() throws -> Data
}

extension String: Storable {
    init(storedData: Data) throws {
        guard let text = String(data: storedData, encoding: .utf8) else { throw CocoaError(.coderInvalidValue) }
        self = text
    }

    func storedData() throws -> Data { Data(utf8) }
}

/// The functions of the keychain, replaceable.
struct KeychainFunctions {
    typealias Copy = (CFDictionary, UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus

    var add: Copy = SecItemAdd
    var copyMatching: Copy = SecItemCopyMatching
    var update: (CFDictionary, CFDictionary) -> OSStatus = SecItemUpdate
    var delete: (CFDictionary) -> OSStatus = SecItemDelete(_:)
}

/// A place in the keychain: a service, or a server with its protocol.
protocol CredentialPlace {
    var query: [CFString: Any] { get }
}

struct ServicePlace: CredentialPlace {
    let service: String
    var accessGroup: String?

    var query: [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        if let accessGroup = accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }
}

struct ServerPlace: CredentialPlace {
    let url: URL

    var query: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassInternetPassword,
            kSecAttrServer: url.host!,
            kSecAttrProtocol: url.scheme == "https" ? kSecAttrProtocolHTTPS : kSecAttrProtocolHTTP,
            kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic,
        ]
        if let port = url.port { query[kSecAttrPort] = port }
        if !url.path.isEmpty { query[kSecAttrPath] = url.path }
        return query
    }
}

struct CredentialStore {
    let place: CredentialPlace
    var keychain = KeychainFunctions()

    struct Info {
        let account: String
        let created: Date
        let modified: Date
        let persistentReference: Data
    }

    func save<Value: Storable>(_ value: Value, account: String, label: String? = nil) throws {
        var attributes = query(account)
        attributes[kSecValueData] = try value.storedData()
        attributes[kSecAttrLabel] = label
        attributes[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        switch keychain.add(attributes as CFDictionary, nil) {
        case errSecSuccess: return
        case errSecDuplicateItem:
            let change = [kSecValueData: try value.storedData()] as [CFString: Any]
            try check(keychain.update(query(account) as CFDictionary, change as CFDictionary))
        case let status: throw CredentialStoreError(status: status)
        }
    }

    func load<Value: Storable>(_ type: Value.Type = Value.self, account: String) throws -> Value? {
        var query = self.query(account)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        var item: CFTypeRef?
        let status = keychain.copyMatching(query as CFDictionary, &item)
        if status == errSecItemNotFound { return nil }
        try check(status)
        return try Value(storedData: item as! Data)
    }

    func info(account: String) throws -> Info {
        var query = self.query(account)
        query[kSecReturnAttributes] = kCFBooleanTrue!
        query[kSecReturnPersistentRef] = kCFBooleanTrue!
        var item: CFTypeRef?
        try check(keychain.copyMatching(query as CFDictionary, &item))
        guard
            let attributes = item as? [CFString: Any],
            let account = attributes[kSecAttrAccount] as? String,
            let created = attributes[kSecAttrCreationDate] as? Date,
            let modified = attributes[kSecAttrModificationDate] as? Date,
            let reference = attributes[kSecValuePersistentRef] as? Data
        else { throw CredentialStoreError.unexpected }
        return Info(account: account, created: created, modified: modified, persistentReference: reference)
    }

    func remove(account: String) throws {
        let status = keychain.delete(query(account) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw CredentialStoreError(status: status)
        }
    }

    func removeAll() throws {
        do {
            try check(keychain.delete(place.query as CFDictionary))
        } catch CredentialStoreError.itemNotFound {
            return
        }
    }

    func accounts() throws -> [String] {
        let query = place.query.merging(
            [kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll], uniquingKeysWith: { $1 })
        var items: AnyObject?
        let status = keychain.copyMatching(query as CFDictionary, &items)
        guard status != errSecItemNotFound else { return [] }
        try check(status)
        return (items as! [[String: Any]]).compactMap { $0[kSecAttrAccount as String] as? String }
    }

    private func query(_ account: String) -> [CFString: Any] {
        var query = place.query
        query[kSecAttrAccount] = account
        return query
    }

    private func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw CredentialStoreError(status: status) }
    }
}
