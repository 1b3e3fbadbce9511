// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Security

/// Which of an item's copies a `SAMKeychainQuery` means.
public enum SAMKeychainQuerySynchronizationMode: Sendable {
    /// Both; an item that is saved is a local one.
    case any
    /// Local ones.
    case no
    /// Synchronizable ones.
    case yes
}

/// One generic password, or the accounts of a service, for one call after another.
///
/// Objects are not shared between threads.
open class SAMKeychainQuery {
    /// The account (`kSecAttrAccount`).
    open var account: String?
    /// The service (`kSecAttrService`).
    open var service: String?
    /// The label (`kSecAttrLabel`); set when an item is added, left alone when it is updated.
    open var label: String?
    /// The access group; nil: all groups of the caller, and the first of them for a new item.
    open var accessGroup: String?
    /// Which copies are meant; both at first.
    open var synchronizationMode = SAMKeychainQuerySynchronizationMode.any
    /// The password as bytes.
    open var passwordData: Data?

    /// The domain of the errors.
    open class var errorDomain: String { kSAMKeychainErrorDomain }

    /// A query without service and account.
    public required init() {}

    /// The password as text; nil if it is empty, missing or no UTF-8.
    open var password: String? {
        get {
            guard let passwordData, !passwordData.isEmpty else { return nil }
            return String(validating: passwordData, as: UTF8.self)
        }
        set { passwordData = newValue.map { Data($0.utf8) } }
    }

    /// The password as an object graph of strings, numbers, data, dates, arrays, sets and dictionaries; nil if it is none.
    open var passwordObject: Any? {
        get {
            guard let passwordData, !passwordData.isEmpty else { return nil }
            do {
                return try ObjectArchive.object(from: passwordData)
            } catch {
                WrapperLog.report("SAMKeychainQuery.passwordObject", "\(error)")
                return nil
            }
        }
        set {
            do {
                passwordData = try newValue.map { try ObjectArchive.bytes(of: $0) }
            } catch {
                WrapperLog.report("SAMKeychainQuery.passwordObject", "\(error)")
                passwordData = nil
            }
        }
    }

    /// Stores the password: in the item that is there, or in a new one.
    ///
    /// - Throws: `NSError` of `errorDomain`: -1001 without service, account or password, else a status.
    open func save() throws {
        guard service != nil, account != nil, let passwordData else { throw failure(badArguments) }
        var content: [CFString: Any] = [kSecValueData: passwordData]
        if let accessible = SAMKeychain.accessibilityType() { content[kSecAttrAccessible] = accessible }
        switch SecItemCopyMatching(query as CFDictionary, nil) {
        case errSecSuccess: try check(SecItemUpdate(query as CFDictionary, content as CFDictionary))
        case errSecItemNotFound:
            if let label { content[kSecAttrLabel] = label }
            try check(SecItemAdd(query.merging(content) { _, new in new } as CFDictionary, nil))
        case let other: throw failure(Int(other))
        }
    }

    /// Deletes the item.
    ///
    /// - Throws: `NSError` of `errorDomain`: -1001 without service or account, else a status, not found included.
    open func deleteItem() throws {
        guard service != nil, account != nil else { throw failure(badArguments) }
        try check(SecItemDelete(query as CFDictionary))
    }

    /// The attributes of all items that match.
    ///
    /// - Throws: `NSError` of `errorDomain` with a status, not found included.
    open func fetchAll() throws -> [[String: Any]] {
        var question = query
        question[kSecReturnAttributes] = true
        question[kSecMatchLimit] = kSecMatchLimitAll
        if let accessible = SAMKeychain.accessibilityType() { question[kSecAttrAccessible] = accessible }
        return try copy(question) as? [[String: Any]] ?? []
    }

    /// Reads the password into `passwordData`.
    ///
    /// - Throws: `NSError` of `errorDomain`: -1001 without service or account, else a status, not found included.
    open func fetch() throws {
        guard service != nil, account != nil else { throw failure(badArguments) }
        var question = query
        question[kSecReturnData] = true
        question[kSecMatchLimit] = kSecMatchLimitOne
        passwordData = try copy(question) as? Data
    }

    // MARK: - The keychain

    private var query: [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
        if let service { query[kSecAttrService] = service }
        if let account { query[kSecAttrAccount] = account }
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        switch synchronizationMode {
        case .any: query[kSecAttrSynchronizable] = kSecAttrSynchronizableAny
        case .no: query[kSecAttrSynchronizable] = false
        case .yes: query[kSecAttrSynchronizable] = true
        }
        return query
    }

    private func copy(_ question: [CFString: Any]) throws(NSError) -> CFTypeRef? {
        var found: CFTypeRef?
        try check(unsafe SecItemCopyMatching(question as CFDictionary, &found))
        return found
    }

    private func check(_ status: OSStatus) throws(NSError) {
        if status != errSecSuccess { throw failure(Int(status)) }
    }

    private func failure(_ code: Int) -> NSError { samError(Self.errorDomain, code) }
}

/// `SAMKeychainQuery` under its older name, with the older error domain.
open class SSKeychainQuery: SAMKeychainQuery {
    /// The domain of the errors.
    override open class var errorDomain: String { kSSKeychainErrorDomain }
}
