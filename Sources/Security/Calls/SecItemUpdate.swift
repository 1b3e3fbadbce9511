// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import KeyfobModel

/// Changes every item that matches, or none (SecItem.h); blocks until it is durable.
///
/// `attributesToUpdate` holds attributes and the value; an attribute can be set, not removed. A new
/// `kSecAttrAccessible` drops an access control.
///
/// - Returns: 0; `errSecItemNotFound`; `errSecDuplicateItem` if a changed item would equal another's primary key;
///   `errSecInteractionNotAllowed` if a match is locked; `errSecMissingEntitlement` for a group that the caller may not
///   write, before all else; `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass` for a malformed dictionary; the
///   faults of token and store. After a failure nothing is changed.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    reportingStatus { () throws(KeychainError) in
        let request = try parsing(query, .update) { () throws(KeychainError) in
            try UpdateRequest(parsing: query, changes: attributesToUpdate)
        }
        try ServiceSelection.current().update(request)
    }
}
