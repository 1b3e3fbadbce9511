// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Security

/// Passwords by user name and service, the way the first iPhone wrappers had it.
///
/// An item is a generic password whose label is its service. A call that fails gives nil or false, and an error if a
/// place for one was given.
public enum SFHFKeychainUtils {
    /// The domain of the errors; codes are -1999, -2000 or a status of the keychain.
    public static let errorDomain = "SFHFKeychainUtilsErrorDomain"

    /// The error code of an item that has attributes and no password.
    private static let passwordMissing = -1999
    /// The error code of an argument that is nil.
    private static let argumentMissing = -2000

    /// The password of a user; nil without an error if there is no such item.
    public static func getPasswordForUsername(
        _ username: String?, andServiceName serviceName: String?, error: UnsafeMutablePointer<NSError?>? = nil
    ) -> String? {
        unsafe attempt(error) { () throws(NSError) in try password(username, serviceName) } ?? nil
    }

    /// Stores a password.
    ///
    /// If there is one already it is replaced when `updateExisting` is true, and kept otherwise, which is success too.
    @discardableResult
    public static func storeUsername(
        _ username: String?, andPassword password: String?, forServiceName serviceName: String?, updateExisting: Bool,
        error: UnsafeMutablePointer<NSError?>? = nil
    ) -> Bool {
        unsafe attempt(error) { () throws(NSError) -> Void in
            try store(username, password, serviceName, updateExisting)
        } != nil
    }

    /// Deletes the item of a user; not found is a failure.
    @discardableResult
    public static func deleteItemForUsername(
        _ username: String?, andServiceName serviceName: String?, error: UnsafeMutablePointer<NSError?>? = nil
    ) -> Bool {
        unsafe attempt(error) { () throws(NSError) -> Void in
            let item = try Item(username, serviceName)
            try check(SecItemDelete([kSecReturnAttributes: true].merging(item.query) { _, new in new } as CFDictionary))
        } != nil
    }

    /// Deletes all items of a service; none found is a failure.
    @discardableResult
    public static func purgeItemsForServiceName(
        _ serviceName: String?, error: UnsafeMutablePointer<NSError?>? = nil
    ) -> Bool {
        unsafe attempt(error) { () throws(NSError) -> Void in
            guard let serviceName else { throw failure(argumentMissing) }
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: serviceName, kSecReturnAttributes: true,
            ]
            try check(SecItemDelete(query as CFDictionary))
        } != nil
    }

    // MARK: - Steps

    private struct Item {
        let username: String
        let serviceName: String

        init(_ username: String?, _ serviceName: String?) throws(NSError) {
            guard let username, let serviceName else { throw failure(argumentMissing) }
            self.username = username
            self.serviceName = serviceName
        }

        var query: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrAccount: username, kSecAttrService: serviceName]
        }

        var labelled: [CFString: Any] { query.merging([kSecAttrLabel: serviceName]) { _, new in new } }
    }

    private static func password(_ username: String?, _ serviceName: String?) throws(NSError) -> String? {
        let item = try Item(username, serviceName)
        let exists = SecItemCopyMatching(item.query as CFDictionary, nil)
        guard exists != errSecItemNotFound else { return nil }
        try check(exists)
        var found: CFTypeRef?
        let question = item.query.merging([kSecReturnData: true]) { _, new in new }
        let status = unsafe SecItemCopyMatching(question as CFDictionary, &found)
        guard status != errSecItemNotFound else { throw failure(passwordMissing) }
        try check(status)
        guard let bytes = found as? Data else { throw failure(passwordMissing) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure(Int(errSecDecode)) }
        return text
    }

    private static func store(
        _ username: String?, _ password: String?, _ serviceName: String?, _ updateExisting: Bool
    ) throws(NSError) {
        let item = try Item(username, serviceName)
        guard let password else { throw failure(argumentMissing) }
        let value: [CFString: Any] = [kSecValueData: Data(password.utf8)]
        var existing: String?
        do {
            existing = try self.password(username, serviceName)
        } catch {
            guard error.code == passwordMissing else { throw error }
            try check(SecItemDelete(item.query as CFDictionary))
        }
        switch existing {
        case nil: try check(SecItemAdd(item.labelled.merging(value) { _, new in new } as CFDictionary, nil))
        case password?: break
        case _? where updateExisting: try check(SecItemUpdate(item.labelled as CFDictionary, value as CFDictionary))
        case _?: break
        }
    }

    private static func attempt<R>(
        _ error: UnsafeMutablePointer<NSError?>?, _ body: () throws(NSError) -> R
    ) -> R? {
        do {
            let result = try body()
            if let error = unsafe error { unsafe error.pointee = nil }
            return result
        } catch let failure {
            if let error = unsafe error { unsafe error.pointee = failure }
            return nil
        }
    }

    private static func check(_ status: OSStatus) throws(NSError) {
        if status != errSecSuccess { throw failure(Int(status)) }
    }

    private static func failure(_ code: Int) -> NSError {
        NSError(domain: errorDomain, code: code)
    }
}
