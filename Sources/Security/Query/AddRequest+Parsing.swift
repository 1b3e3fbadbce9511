// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobMemory
internal import KeyfobModel

extension AddRequest {
    /// The request of a `SecItemAdd` dictionary; the value is copied into secret memory here.
    ///
    /// Match keys and an item list are refused: Apple's own code reports success for them and stores nothing.
    ///
    /// - Throws: `.invalidParameter`, `.noSuchAttribute`, `.noSuchClass`, `.missingEntitlement`, `.unimplemented`, and
    ///   the faults of secret memory.
    init(parsing dictionary: CFDictionary) throws(KeychainError) {
        let query = try QueryDictionary(dictionary, .add)
        guard query.matches.isEmpty, !query.hasItemList else { throw query.invalid("m_") }
        guard query.persistentReference == nil else { throw query.invalid("v_PersistentRef") }
        guard query.authenticationUI != .skip else { throw query.invalid("u_AuthUI") }
        let itemClass = try query.itemClass()
        var parsed = try ParsedAttributes(query.attributes, of: itemClass, .add)
        try parsed.checkSynchronizable()
        for name in AttributeName.setByTheKeychain + [.creationDate] { parsed.attributes[name] = nil }
        self.init(
            itemClass: itemClass, attributes: parsed.attributes, accessGroup: parsed.accessGroup,
            isSynchronizable: parsed.synchronizable == .synchronizableOnly, accessibility: parsed.protection,
            accessControl: parsed.accessControl, value: try secret(query.value, .add), returns: query.returns)
        authenticationUI = query.authenticationUI
        credentials = query.credentials
    }
}

extension AttributeName {
    /// Attributes that are read back and whose values in an add or a change have no effect.
    static let setByTheKeychain: [AttributeName] = [.modificationDate, .sha1, .tombstone, .multiUser]
}

/// The value of `kSecValueData` as a secret; nil if there is none, which is not the same as empty.
///
/// - Throws: `.invalidParameter` for anything but data, and the faults of secret memory.
func secret(_ value: Any?, _ operation: KeychainError.Operation) throws(KeychainError) -> SecretBytes? {
    guard let value else { return nil }
    guard let data = value as? Data else {
        throw KeychainError(.invalidParameter, operation, subject: .parameter("v_Data"))
    }
    do {
        return try SecretBytes(copying: data.bytes)
    } catch {
        throw KeychainError(error, operation)
    }
}
