// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import KeyfobModel

/// Removes every item that matches (SecItem.h), in any state of the token; blocks until it is durable.
///
/// A class alone removes all local items of the class that the caller may write.
///
/// - Returns: 0; `errSecItemNotFound`; `errSecMissingEntitlement` for a group that the caller may not write, before all
///   else; `errSecParam` (match keys included, but for `kSecMatchLimitAll`), `errSecNoSuchAttr`, `errSecNoSuchClass`
///   for a malformed query; the faults of the store.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    reportingStatus { () throws(KeychainError) in
        let request = try parsing(query, .delete) { () throws(KeychainError) in
            try DeleteRequest(parsing: query)
        }
        try ServiceSelection.current().delete(request)
    }
}
