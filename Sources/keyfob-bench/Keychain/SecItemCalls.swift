// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// The same work as a program does it: dictionaries in, objects out.
enum SecItemCalls {
    static func copyValue(_ number: Int) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: BenchItem.service(number),
            kSecAttrAccount as String: BenchItem.account(number), kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        try check(unsafe SecItemCopyMatching(query as CFDictionary, &result), "SecItemCopyMatching")
        guard let data = result as? Data, data.count == 32 else { throw BenchFailure("a copied value has a wrong size") }
    }

    static func copyAttributes(_ number: Int) throws {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: BenchItem.service(number),
            kSecAttrAccount as String: BenchItem.account(number), kSecReturnAttributes as String: true,
        ]
        var result: CFTypeRef?
        try check(unsafe SecItemCopyMatching(query as CFDictionary, &result), "SecItemCopyMatching")
    }

    static func add(_ number: Int) throws {
        let attributes: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: BenchItem.service(number),
            kSecAttrAccount as String: BenchItem.account(number), kSecAttrLabel as String: BenchItem.label(number),
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            kSecValueData as String: Data(BenchItem.value(number)),
        ]
        try check(SecItemAdd(attributes as CFDictionary, nil), "SecItemAdd")
    }

    private static func check(_ status: OSStatus, _ function: String) throws(BenchFailure) {
        guard status == errSecSuccess else { throw BenchFailure("\(function) returned \(status)") }
    }
}
