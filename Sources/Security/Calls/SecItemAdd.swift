// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import KeyfobModel

/// Adds one item to the keychain (SecItem.h); blocks until it is durable.
///
/// `attributes` holds the class, attributes, the value (`kSecValueData`, data only) and what to return. `result` is set
/// to nil first and gets what the return keys ask for: data, a dictionary, or nil.
///
/// - Returns: 0; `errSecDuplicateItem`; `errSecInteractionNotAllowed` while the class key is locked;
///   `errSecMissingEntitlement` for a group that is not the caller's; `errSecParam`, `errSecNoSuchAttr`,
///   `errSecNoSuchClass` for a malformed dictionary; `errSecUnimplemented` for an access control that the token cannot
///   honour; the faults of token and store. After a failure nothing is stored.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    if let result = unsafe result { unsafe result.pointee = nil }
    return reportingStatus { () throws(KeychainError) in
        var builder = ResultBuilder([], isArray: false)
        let answer = try withPerson(attributes, .add) { (credentials) throws(KeychainError) in
            // Parsed anew for a second try: the value has one owner, and that was the first one.
            var request = try AddRequest(parsing: attributes)
            if unsafe result == nil { request.returns = [] }
            if let credentials { request.credentials = credentials }
            builder = ResultBuilder(request.returns, isArray: false)
            return try ServiceSelection.current().add(request)
        }
        if let result = unsafe result { unsafe result.pointee = builder.object(from: answer) }
    }
}
