// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// Saves, reads and deletes a string by key.
///
/// The string is a generic password, in UTF-8, whose service and account are the key, readable after the first unlock.
public enum LYKeychainTool {
    /// Saves the string under the key, in place of the one that was there.
    ///
    /// - Returns: Whether it is stored.
    @discardableResult
    public static func saveKeychainValue(_ value: String, forKey key: String) -> Bool {
        WrapperLog.succeeded(slot(key).store(Data(value.utf8)), "LYKeychainTool.saveKeychainValue")
    }

    /// The string of the key; nil if there is none, it cannot be read or is no UTF-8.
    public static func readKeychainValue(_ key: String) -> String? {
        let (status, bytes) = slot(key).load()
        guard WrapperLog.succeeded(status, "LYKeychainTool.readKeychainValue"), let bytes else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Deletes the string of the key.
    ///
    /// - Returns: Whether there was one and it is gone.
    @discardableResult
    public static func deleteKeychainValue(_ key: String) -> Bool {
        WrapperLog.succeeded(slot(key).delete(), "LYKeychainTool.deleteKeychainValue")
    }

    private static func slot(_ key: String) -> PasswordSlot { PasswordSlot(service: key, account: key) }
}
