// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// The same work as a program does it: a dictionary in, an object out.
///
/// Making the dictionary is the program's own affair and not measured.
final class SecItemCalls {
    private let queries: [CFDictionary]
    private let attributes: [CFDictionary]

    /// Makes the dictionaries of `count` calls, on items below `items` for queries, from `items` on for adds.
    init(count: Int, items: Int, returning key: CFString) {
        queries = (0..<count).map { _ in
            let number = Int.random(in: 0..<items)
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: BenchItem.service(number),
                kSecAttrAccount as String: BenchItem.account(number), key as String: true,
            ]
            return query as CFDictionary
        }
        attributes = (items..<items + count).map { number in
            let attributes: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: BenchItem.service(number),
                kSecAttrAccount as String: BenchItem.account(number), kSecAttrLabel as String: BenchItem.label(number),
                kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
                kSecValueData as String: Data(BenchItem.value(number)),
            ]
            return attributes as CFDictionary
        }
    }

    func copy(_ index: Int) throws(BenchFailure) {
        var result: CFTypeRef?
        try check(unsafe SecItemCopyMatching(queries[index], &result), "SecItemCopyMatching")
        guard result != nil else { throw BenchFailure("SecItemCopyMatching gave nothing") }
    }

    func add(_ index: Int) throws(BenchFailure) {
        try check(SecItemAdd(attributes[index], nil), "SecItemAdd")
    }

    private func check(_ status: OSStatus, _ function: String) throws(BenchFailure) {
        guard status == errSecSuccess else { throw BenchFailure("\(function) returned \(status)") }
    }
}
