// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import KeyfobModel

/// Finds items in the keychain (SecItem.h); blocks until the answer is there.
///
/// Without `kSecMatchLimit` the first match is returned, bare; with a limit above one an array, in the order in which
/// the items were added. Without a return key the call only tells whether there is a match. Without
/// `kSecAttrSynchronizable` synchronizable items are not looked at. `result` is touched on success only.
///
/// A match whose access control asks for a person needs the token's PIN, whatever is returned: from the `LAContext` under
/// `kSecUseAuthenticationContext`, else the person at the terminal or the configured pinentry program is asked, unless
/// `kSecUseAuthenticationUI` says otherwise. The PIN reaches the token once for each such item.
///
/// - Returns: 0; `errSecItemNotFound`; `errSecInteractionNotAllowed` if a match is locked, or needs a person and nobody may
///   or can be asked; `errSecAuthFailed` for a wrong PIN or password; `errSecUserCanceled`; `errSecMissingEntitlement`
///   for a group that is not the caller's; `errSecParam`, `errSecNoSuchAttr`, `errSecNoSuchClass` for a malformed query;
///   the faults of token and store.
@discardableResult
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    reportingStatus { () throws(KeychainError) in
        var builder = ResultBuilder([], isArray: false)
        let answer = try withPerson(query, .copyMatching) { (credentials) throws(KeychainError) in
            var request = try MatchRequest(parsing: query)
            if unsafe result == nil { request.returns = [] }
            if let credentials { request.credentials = credentials }
            builder = ResultBuilder(request.returns, isArray: request.wantsArray)
            return try ServiceSelection.current().copyMatching(request)
        }
        if let result = unsafe result { unsafe result.pointee = builder.object(from: answer) }
    }
}
