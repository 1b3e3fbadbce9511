// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// Keeps user names and their passwords, by service.
///
/// Each name is a generic password of its own, so two programs that save different names do not undo each other's
/// work. Items are readable after the first unlock. Other generic passwords of the same service are left alone: those
/// made here carry a mark (`kSecAttrGeneric`).
public enum GZKeyChain {
    /// The service of the calls that name none: the bundle's identifier, or the program's name.
    public static var defaultService: String { Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName }

    private static let mark = Data("GZKeyChain".utf8)

    /// Saves a name of the default service.
    ///
    /// - Returns: Whether it is stored.
    @discardableResult
    public static func saveUserName(_ userName: String, pwd: String) -> Bool {
        saveUserName(userName, pwd: pwd, service: defaultService)
    }

    /// Saves a name; a name that is there gets the new password.
    ///
    /// - Returns: Whether it is stored.
    @discardableResult
    public static func saveUserName(_ userName: String, pwd: String, service: String) -> Bool {
        let slot = PasswordSlot(service: service, account: userName)
        return WrapperLog.succeeded(
            slot.store(Data(pwd.utf8), marks: [kSecAttrGeneric: mark]), "GZKeyChain.saveUserName")
    }

    /// The names of the default service with their passwords.
    public static func loadAccountInfo() -> [String: String] { loadAccountInfoWithService(defaultService) }

    /// The names of a service with their passwords; empty if there are none or they cannot be read.
    public static func loadAccountInfoWithService(_ service: String) -> [String: String] {
        var question = query(service)
        question[kSecReturnAttributes] = true
        question[kSecReturnData] = true
        question[kSecMatchLimit] = kSecMatchLimitAll
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(question as CFDictionary, &found)
        guard WrapperLog.succeeded(status, "GZKeyChain.loadAccountInfo"), let items = found as? [[String: Any]] else {
            return [:]
        }
        return items.reduce(into: [:]) { accounts, item in
            guard let name = item[kSecAttrAccount as String] as? String,
                let bytes = item[kSecValueData as String] as? Data
            else { return }
            accounts[name] = String(validating: bytes, as: UTF8.self)
        }
    }

    /// The password of a name of the default service.
    public static func loadPwdForUserName(_ userName: String) -> String? {
        loadPwdForUserName(userName, service: defaultService)
    }

    /// The password of a name; nil if there is none or it cannot be read.
    public static func loadPwdForUserName(_ userName: String, service: String) -> String? {
        let (status, bytes) = PasswordSlot(service: service, account: userName).load()
        guard WrapperLog.succeeded(status, "GZKeyChain.loadPwdForUserName"), let bytes else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Removes all names of the default service.
    ///
    /// - Returns: Whether none is left.
    @discardableResult
    public static func removeAll() -> Bool { removeAllWithService(defaultService) }

    /// Removes all names of a service.
    ///
    /// - Returns: Whether none is left.
    @discardableResult
    public static func removeAllWithService(_ service: String) -> Bool {
        let status = SecItemDelete(query(service) as CFDictionary)
        return WrapperLog.succeeded(status, "GZKeyChain.removeAll") || status == errSecItemNotFound
    }

    /// Removes a name of the default service.
    ///
    /// - Returns: Whether it is not there any more.
    @discardableResult
    public static func removeForUserName(_ userName: String) -> Bool {
        removeForUserName(userName, service: defaultService)
    }

    /// Removes a name.
    ///
    /// - Returns: Whether it is not there any more.
    @discardableResult
    public static func removeForUserName(_ userName: String, service: String) -> Bool {
        let status = PasswordSlot(service: service, account: userName).delete()
        return WrapperLog.succeeded(status, "GZKeyChain.removeForUserName") || status == errSecItemNotFound
    }

    private static func query(_ service: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrGeneric: mark]
    }
}
