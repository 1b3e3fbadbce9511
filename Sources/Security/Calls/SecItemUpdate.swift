// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import KeyfobModel

/// Changes every item that matches, or none (SecItem.h); blocks until it is durable.
///
/// `attributesToUpdate` holds attributes and the value; an attribute can be set, not removed. A new
/// `kSecAttrAccessible` drops an access control.
///
/// A match whose access control asks for a person needs the token's PIN, as in `SecItemCopyMatching`.
///
/// - Returns: 0; `errSecItemNotFound`; `errSecDuplicateItem` if a changed item would equal another's primary key;
///   `errSecInteractionNotAllowed` if a match is locked; `errSecMissingEntitlement` for a group that the caller may not
///   write, before all else; `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass` for a malformed dictionary; the
///   faults of token and store. After a failure nothing is changed.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    reportingStatus { () throws(KeychainError) in
        try withPerson(query, .update) { (credentials) throws(KeychainError) in
            var request = try parsing(query, .update) { () throws(KeychainError) in
                try UpdateRequest(parsing: query, changes: attributesToUpdate)
            }
            if let credentials { request.credentials = credentials }
            try ServiceSelection.current().update(request)
        }
    }
}
