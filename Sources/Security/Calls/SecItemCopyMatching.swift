// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import KeyfobModel

/// Finds items in the keychain (SecItem.h); blocks until the answer is there.
///
/// Without `kSecMatchLimit` the first match is returned, bare; with a limit above one an array, in the order in which
/// the items were added. Without a return key the call only tells whether there is a match. Without
/// `kSecAttrSynchronizable` synchronizable items are not looked at. `result` is touched on success only.
///
/// - Returns: 0; `errSecItemNotFound`; `errSecInteractionNotAllowed` if a match is locked; `errSecMissingEntitlement`
///   for a group that is not the caller's; `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass` for a malformed query;
///   the faults of token and store.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    reportingStatus { () throws(KeychainError) in
        var request = try MatchRequest(parsing: query)
        if unsafe result == nil { request.returns = [] }
        let builder = ResultBuilder(request.returns, isArray: request.wantsArray)
        let answer = try ServiceSelection.current().copyMatching(request)
        if let result = unsafe result { unsafe result.pointee = builder.object(from: answer) }
    }
}
