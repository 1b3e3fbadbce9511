// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Security
internal import Synchronization

/// Passwords by service and account.
///
/// A call that fails gives nil or false, and an error if a place for one was given: of `SAMKeychainQuery.errorDomain`,
/// its code -1001 for an argument that is nil, else a status of the keychain (not found included).
open class SAMKeychain {
    /// The queries that the calls are made with.
    open class var queryType: SAMKeychainQuery.Type { SAMKeychainQuery.self }

    private static let accessibility = Mutex<String?>(nil)

    /// The password as text; nil without an error if it is empty.
    public static func passwordForService(
        _ serviceName: String?, account: String?, error: UnsafeMutablePointer<NSError?>? = nil
    ) -> String? {
        unsafe fetched(serviceName, account, error)?.password
    }

    /// The password as bytes.
    public static func passwordDataForService(
        _ serviceName: String?, account: String?, error: UnsafeMutablePointer<NSError?>? = nil
    ) -> Data? {
        unsafe fetched(serviceName, account, error)?.passwordData
    }

    /// Stores a password, in place of the one that is there.
    @discardableResult
    public static func setPassword(
        _ password: String?, forService serviceName: String?, account: String?,
        error: UnsafeMutablePointer<NSError?>? = nil
    ) -> Bool {
        unsafe setPasswordData(password.map { Data($0.utf8) }, forService: serviceName, account: account, error: error)
    }

    /// Stores bytes as a password, in place of the one that is there.
    @discardableResult
    public static func setPasswordData(
        _ password: Data?, forService serviceName: String?, account: String?,
        error: UnsafeMutablePointer<NSError?>? = nil
    ) -> Bool {
        let query = made(serviceName, account)
        query.passwordData = password
        return unsafe attempt(error) { try query.save() } != nil
    }

    /// Deletes a password; not found is a failure.
    @discardableResult
    public static func deletePasswordForService(
        _ serviceName: String?, account: String?, error: UnsafeMutablePointer<NSError?>? = nil
    ) -> Bool {
        let query = made(serviceName, account)
        return unsafe attempt(error) { try query.deleteItem() } != nil
    }

    /// The attributes of all generic passwords that the caller can see; nil if there are none.
    public static func allAccounts(_ error: UnsafeMutablePointer<NSError?>? = nil) -> [[String: Any]]? {
        unsafe accountsForService(nil, error: error)
    }

    /// The attributes of the passwords of a service, nil: of all services; nil if there are none.
    public static func accountsForService(
        _ serviceName: String?, error: UnsafeMutablePointer<NSError?>? = nil
    ) -> [[String: Any]]? {
        let query = made(serviceName, nil)
        return unsafe attempt(error) { try query.fetchAll() }
    }

    /// The `kSecAttrAccessible` that items are saved with and listed by; nil, as at first: the keychain's default, all.
    public static func accessibilityType() -> CFString? {
        accessibility.withLock { $0 }.map { NSString(string: $0) }
    }

    /// Sets the accessibility for the whole process: one of the `kSecAttrAccessible…` constants, or nil.
    public static func setAccessibilityType(_ accessibilityType: CFTypeRef?) {
        let code = accessibilityType as? String
        accessibility.withLock { $0 = code }
    }

    // MARK: - Queries

    private static func made(_ serviceName: String?, _ account: String?) -> SAMKeychainQuery {
        let query = queryType.init()
        query.service = serviceName
        query.account = account
        return query
    }

    private static func fetched(
        _ serviceName: String?, _ account: String?, _ error: UnsafeMutablePointer<NSError?>?
    ) -> SAMKeychainQuery? {
        let query = made(serviceName, account)
        return unsafe attempt(error) { try query.fetch() } == nil ? nil : query
    }

    private static func attempt<R>(_ error: UnsafeMutablePointer<NSError?>?, _ body: () throws -> R) -> R? {
        do {
            let result = try body()
            if let error = unsafe error { unsafe error.pointee = nil }
            return result
        } catch let failure {
            if let error = unsafe error { unsafe error.pointee = failure as NSError }
            return nil
        }
    }
}

/// `SAMKeychain` under its older name, with the older error domain.
open class SSKeychain: SAMKeychain {
    /// The queries that the calls are made with.
    override open class var queryType: SAMKeychainQuery.Type { SSKeychainQuery.self }
}
