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
        case "save-guarded": Answer.line("\(addGuarded(service, account, value))")
        case "overwrite": Answer.line("\(update(service, account, value))")
        case "load": load(service, account, group)
        case "accounts": accounts(service)
        case "all": all(group)
        case "dump": dump(service)
        case "fill": fill(service)
        case "measure": measure(service, account, Int(value) ?? 0)
        case "exists": Answer.line("\(SecItemCopyMatching(query(service, account, group) as CFDictionary, nil))")
        case "reference": reference(service, account)
        case "load-reference": loadReference(service)
        case "move": Answer.line("\(move(service, account, to: value))")
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
        if let other = ProcessInfo.processInfo.environment["ITEM_ACCESSIBLE"] {
            item[kSecAttrAccessible as String] = other
        }
        return SecItemAdd(item as CFDictionary, nil)
    }

    /// An item that needs the user.
    private static func addGuarded(_ service: String, _ account: String, _ value: String) -> OSStatus {
        var item = query(service, account, nil)
        item[kSecValueData as String] = Data(value.utf8)
        item[kSecAttrAccessControl as String] = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)
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

    /// Does what the lines of standard input say, and ends each answer with a point.
    static func converse() {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            run(words.first ?? "", Array(words.dropFirst()))
            Answer.line(".")
        }
    }

    /// Lists every item that the program sees.
    private static func all(_ group: String?) {
        var search: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecReturnAttributes as String: true,
            kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        if let group { search[kSecAttrAccessGroup as String] = group }
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(search as CFDictionary, &result)
        Answer.line("\(status)")
        for item in result as? [[String: Any]] ?? [] {
            Answer.line("\(item[kSecAttrService as String] ?? "none")/\(item[kSecAttrAccount as String] ?? "none")")
        }
    }

    /// Adds items until one is refused; a status each.
    private static func fill(_ service: String) {
        for number in 0... {
            let status = add(service, "\(number)", String(repeating: "x", count: 2000), nil)
            Answer.line("\(status)")
            guard status == errSecSuccess else { return }
        }
    }

    /// Lists accounts and values.
    private static func dump(_ service: String) {
        var search = query(service, nil, nil)
        search[kSecReturnAttributes as String] = true
        search[kSecReturnData as String] = true
        search[kSecMatchLimit as String] = kSecMatchLimitAll
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(search as CFDictionary, &result)
        Answer.line("\(status)")
        for item in result as? [[String: Any]] ?? [] {
            let value = String(decoding: item[kSecValueData as String] as? Data ?? Data(), as: UTF8.self)
            Answer.line("\(item[kSecAttrAccount as String] ?? "none")=\(value)")
        }
    }

    /// Reads an item again and again; a status that is not success, or the microseconds of each call.
    private static func measure(_ service: String, _ account: String, _ count: Int) {
        var search = query(service, account, nil)
        search[kSecReturnData as String] = true
        for _ in 0..<count {
            let start = ContinuousClock.now
            var result: CFTypeRef?
            let status = unsafe SecItemCopyMatching(search as CFDictionary, &result)
            let took = (ContinuousClock.now - start).components
            Answer.line(status == errSecSuccess ? "\(took.attoseconds / 1_000_000_000_000)" : "status \(status)")
        }
    }

    private static func reference(_ service: String, _ account: String) {
        var search = query(service, account, nil)
        search[kSecReturnPersistentRef as String] = true
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(search as CFDictionary, &result)
        Answer.line("\(status)")
        if let reference = result as? Data { Answer.line(reference.base64EncodedString()) }
    }

    private static func loadReference(_ text: String) {
        let search: [String: Any] = [
            kSecValuePersistentRef as String: Data(base64Encoded: text) ?? Data(), kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        Answer.line("\(unsafe SecItemCopyMatching(search as CFDictionary, &result))")
    }

    private static func move(_ service: String, _ account: String, to group: String) -> OSStatus {
        SecItemUpdate(
            query(service, account, nil) as CFDictionary, [kSecAttrAccessGroup as String: group] as CFDictionary)
    }
}
