// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security

/// A query or attributes, as callers write them.
typealias Query = [CFString: Any]

/// Runs `body` while an in-memory keychain of its own answers the SecItem calls of this thread.
func withKeychain<R>(
    _ service: ModelService = ModelService(), _ body: (ModelService) throws -> R
) rethrows -> R {
    try ServiceSelection.$scoped.withValue(service) { try body(service) }
}

/// A generic password with that account, service and value, with `more` over it.
func password(
    _ account: String = "bob", service: String = "shop", value: String? = "swordfish", _ more: Query = [:]
) -> Query {
    var query: Query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: service]
    if let value { query[kSecValueData] = Data(value.utf8) }
    return query.merging(more) { _, new in new }
}

/// All generic passwords, narrowed by `more`.
func passwords(_ more: Query = [:]) -> Query {
    [kSecClass: kSecClassGenericPassword].merging(more) { _, new in new }
}

@discardableResult
func add(_ attributes: Query) -> OSStatus { SecItemAdd(attributes as CFDictionary, nil) }

func exists(_ query: Query) -> OSStatus { SecItemCopyMatching(query as CFDictionary, nil) }

func delete(_ query: Query) -> OSStatus { SecItemDelete(query as CFDictionary) }

func update(_ query: Query, _ changes: Query) -> OSStatus {
    SecItemUpdate(query as CFDictionary, changes as CFDictionary)
}

/// The status of an add, and what it returned.
func adding(_ attributes: Query) -> (status: OSStatus, object: AnyObject?) {
    var object: AnyObject?
    let status = unsafe SecItemAdd(attributes as CFDictionary, &object)
    return (status, object)
}

/// The status of a copy, and what it found.
func copying(_ query: Query) -> (status: OSStatus, object: AnyObject?) {
    var object: AnyObject?
    let status = unsafe SecItemCopyMatching(query as CFDictionary, &object)
    return (status, object)
}

/// The attributes of the first match, or none.
func attributes(_ query: Query) -> [String: Any] {
    var query = query
    query[kSecReturnAttributes] = true
    return copying(query).object as? [String: Any] ?? [:]
}

/// The value of the first match as text, or nil.
func value(_ query: Query) -> String? {
    var query = query
    query[kSecReturnData] = true
    return (copying(query).object as? Data).map { String(decoding: $0, as: UTF8.self) }
}

// MARK: - Dictionaries of other kinds

func add(_ attributes: NSDictionary) -> OSStatus { SecItemAdd(attributes, nil) }

func exists(_ query: NSDictionary) -> OSStatus { SecItemCopyMatching(query, nil) }

/// An access control object as callers make one.
func rules(_ protection: CFString, _ flags: SecAccessControlCreateFlags = []) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, nil)
}
