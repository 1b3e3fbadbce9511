// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel

extension DeleteRequest {
    /// The request of a `SecItemDelete` dictionary; return keys and an item list have no effect.
    ///
    /// Of the match keys, `kSecMatchLimitAll` alone may stand: it asks for what a delete does, and callers that are
    /// not compiled for iOS give it, because the file keychain of macOS wants it.
    ///
    /// - Throws: `.invalidParameter` (other match keys and limits included), `.noSuchAttribute`, `.noSuchClass`,
    ///   `.missingEntitlement`, `.unimplemented`.
    init(parsing dictionary: CFDictionary) throws(KeychainError) {
        let query = try QueryDictionary(dictionary, .delete)
        let asksForLess = query.matches.contains { $0.key != .limit || $0.value as? String != "m_LimitAll" }
        guard !asksForLess else { throw query.invalid("m_") }
        guard query.authenticationUI != .skip else { throw query.invalid("u_AuthUI") }
        self.init(try ItemQuery(query))
    }
}
