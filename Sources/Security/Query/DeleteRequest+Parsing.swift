// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel

extension DeleteRequest {
    /// The request of a `SecItemDelete` dictionary; return keys and an item list have no effect.
    ///
    /// - Throws: `.invalidParameter` (match keys included), `.noSuchAttribute`, `.noSuchClass`, `.missingEntitlement`,
    ///   `.unimplemented`.
    init(parsing dictionary: CFDictionary) throws(KeychainError) {
        let query = try QueryDictionary(dictionary, .delete)
        guard query.matches.isEmpty else { throw query.invalid("m_") }
        guard query.authenticationUI != .skip else { throw query.invalid("u_AuthUI") }
        self.init(try ItemQuery(query))
    }
}
