// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security

/// Runs `body` while an in-memory keychain of its own answers the SecItem calls of this thread.
func withKeychain<R>(
    _ service: ModelService = ModelService(), _ body: (ModelService) throws -> R
) rethrows -> R {
    try ServiceSelection.$scoped.withValue(service) { try body(service) }
}

/// Adds a generic password as another program would.
@discardableResult
func add(_ account: String, service: String, value: Data?, _ more: [CFString: Any] = [:]) -> OSStatus {
    var item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: service,
    ]
    if let value { item[kSecValueData] = value }
    return SecItemAdd(item.merging(more) { _, new in new } as CFDictionary, nil)
}

/// The attributes of the first generic password that fits.
func attributes(_ query: [CFString: Any] = [:]) -> [String: Any] {
    var question = query
    question[kSecClass] = kSecClassGenericPassword
    question[kSecReturnAttributes] = true
    var found: CFTypeRef?
    let status = unsafe SecItemCopyMatching(question as CFDictionary, &found)
    return status == errSecSuccess ? found as? [String: Any] ?? [:] : [:]
}
