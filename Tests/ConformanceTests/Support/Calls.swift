// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security

/// A dictionary as callers write it.
typealias Query = [CFString: Any]

/// What a call returned and gave.
struct Answer {
    let status: OSStatus
    let object: AnyObject?

    var data: Data? { object as? Data }
    var dictionary: [String: Any]? { object as? [String: Any] }
    var array: [Any]? { object as? [Any] }
    var dictionaries: [[String: Any]]? { object as? [[String: Any]] }
}

/// Generic passwords, narrowed or described by `more`.
func genp(_ more: Query = [:]) -> Query { [kSecClass: kSecClassGenericPassword].merging(more) { _, new in new } }

/// Internet passwords, narrowed or described by `more`.
func inet(_ more: Query = [:]) -> Query { [kSecClass: kSecClassInternetPassword].merging(more) { _, new in new } }

/// A generic password of the account with its name as the value.
func password(_ account: String = "bob", _ more: Query = [:]) -> Query {
    genp([kSecAttrAccount: account, kSecAttrService: "shop", kSecValueData: bytes(account)])
        .merging(more) { _, new in new }
}

/// The UTF-8 of a text.
func bytes(_ text: String) -> Data { Data(text.utf8) }

@discardableResult
func add(_ attributes: Query) -> OSStatus { SecItemAdd(attributes as CFDictionary, nil) }

/// Adds, and gives what the return keys ask for; the result starts as something else than nil.
func adding(_ attributes: Query) -> Answer {
    var object: AnyObject? = NSString("untouched")
    let status = unsafe SecItemAdd(attributes as CFDictionary, &object)
    return Answer(status: status, object: object)
}

/// Whether there is a match: no result pointer.
func find(_ query: Query) -> OSStatus { SecItemCopyMatching(query as CFDictionary, nil) }

func copying(_ query: Query) -> Answer {
    var object: AnyObject?
    let status = unsafe SecItemCopyMatching(query as CFDictionary, &object)
    return Answer(status: status, object: object)
}

@discardableResult
func update(_ query: Query, _ changes: Query) -> OSStatus {
    SecItemUpdate(query as CFDictionary, changes as CFDictionary)
}

@discardableResult
func delete(_ query: Query) -> OSStatus { SecItemDelete(query as CFDictionary) }

// MARK: - Looking

/// The attributes of the first match; empty if there is none.
func attributes(_ query: Query) -> [String: Any] {
    copying(query.merging([kSecReturnAttributes: true]) { _, new in new }).dictionary ?? [:]
}

/// The value of the first match as text.
func value(_ query: Query) -> String? {
    copying(query.merging([kSecReturnData: true]) { _, new in new }).data.map { String(decoding: $0, as: UTF8.self) }
}

/// The accounts of all matches in the order of the answer.
func accounts(_ query: Query) -> [String] {
    let all: Query = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]
    return (copying(query.merging(all) { _, new in new }).dictionaries ?? []).map { $0["acct"] as? String ?? "?" }
}

/// The persistent reference of the first match.
func reference(_ query: Query) -> Data? {
    copying(query.merging([kSecReturnPersistentRef: true]) { _, new in new }).data
}

/// The item of a persistent reference.
func referred(_ reference: Data?, _ more: Query = [:]) -> Query {
    let query: Query = [kSecValuePersistentRef: reference ?? Data()]
    return query.merging(more) { _, new in new }
}

/// A date attribute of the first match, in seconds since 2001.
func seconds(_ name: String, _ query: Query) -> Double {
    (attributes(query)[name] as? Date)?.timeIntervalSinceReferenceDate ?? .nan
}

/// An access control object with rules.
func rules(_ protection: CFString = kSecAttrAccessibleWhenUnlocked, _ flags: SecAccessControlCreateFlags = [])
    -> SecAccessControl?
{
    SecAccessControlCreateWithFlags(nil, protection, flags, nil)
}
