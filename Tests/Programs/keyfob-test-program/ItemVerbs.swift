// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// An ordinary program's use of the public API: nothing in this file knows Keyfob.
///
/// Every verb prints a status.
enum ItemVerbs {
    static func run(_ verb: String, _ arguments: [String]) {
        let service = arguments.first ?? ""
        let account = arguments.count > 1 ? arguments[1] : ""
        let value = arguments.count > 2 ? arguments[2] : ""
        let group = ProcessInfo.processInfo.environment["ITEM_GROUP"]
        switch verb {
        case "save": Answer.line("\(add(service, account, value, group))")
        case "overwrite": Answer.line("\(update(service, account, value))")
        case "load": load(service, account, group)
        case "accounts": accounts(service)
        case "remove": Answer.line("\(SecItemDelete(query(service, account, group) as CFDictionary))")
        case "remove-all": Answer.line("\(SecItemDelete(query(service, nil, group) as CFDictionary))")
        default: Answer.line("no such verb: \(verb)")
        }
    }

    private static func query(_ service: String, _ account: String?, _ group: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        ]
        if let account { query[kSecAttrAccount as String] = account }
        if let group { query[kSecAttrAccessGroup as String] = group }
        return query
    }

    private static func add(_ service: String, _ account: String, _ value: String, _ group: String?) -> OSStatus {
        var item = query(service, account, group)
        item[kSecValueData as String] = Data(value.utf8)
        item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        return SecItemAdd(item as CFDictionary, nil)
    }

    private static func update(_ service: String, _ account: String, _ value: String) -> OSStatus {
        SecItemUpdate(
            query(service, account, nil) as CFDictionary, [kSecValueData as String: Data(value.utf8)] as CFDictionary)
    }

    private static func load(_ service: String, _ account: String, _ group: String?) {
        var search = query(service, account, group)
        search[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(search as CFDictionary, &result)
        Answer.line("\(status)")
        if let data = result as? Data { Answer.line(String(decoding: data, as: UTF8.self)) }
    }

    private static func accounts(_ service: String) {
        var search = query(service, nil, nil)
        search[kSecReturnAttributes as String] = true
        search[kSecMatchLimit as String] = kSecMatchLimitAll
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(search as CFDictionary, &result)
        Answer.line("\(status)")
        for item in result as? [[String: Any]] ?? [] { Answer.line("\(item[kSecAttrAccount as String] ?? "none")") }
    }
}
