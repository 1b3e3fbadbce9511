// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel

extension UpdateRequest {
    /// The request of `SecItemUpdate`'s two dictionaries; a new value is copied into secret memory here.
    ///
    /// - Throws: `.invalidParameter`, `.noSuchAttribute`, `.noSuchClass`, `.missingEntitlement`, `.unimplemented`, and
    ///   the faults of secret memory.
    init(parsing dictionary: CFDictionary, changes: CFDictionary) throws(KeychainError) {
        let query = try QueryDictionary(dictionary, .update)
        guard query.matches.isEmpty, !query.hasItemList else { throw query.invalid("m_") }
        guard query.returns.isEmpty else { throw query.invalid("r_") }
        guard query.authenticationUI != .skip else { throw query.invalid("u_AuthUI") }
        let items = try ItemQuery(query)
        let given = try ChangeDictionary(changes)
        var parsed = try ParsedAttributes(given.attributes, of: items.itemClass, .update)
        try parsed.checkSynchronizable()
        for name in AttributeName.setByTheKeychain { parsed.attributes[name] = nil }
        let isSynchronizable: Bool? =
            switch parsed.synchronizable {
            case .localOnly: false
            case .synchronizableOnly: true
            case .any, nil: nil
            }
        self.init(
            items, changes: parsed.attributes, accessGroup: parsed.accessGroup, isSynchronizable: isSynchronizable,
            accessibility: parsed.protection,
            accessControl: parsed.accessControl?.hasRules == true ? parsed.accessControl : nil,
            value: try secret(given.value, .update), authenticationUI: query.authenticationUI)
        credentials = query.credentials
    }
}

/// The second dictionary of an update: every key is an attribute, or the value.
private struct ChangeDictionary {
    private(set) var attributes: [(name: AttributeName, value: Any)] = []
    private(set) var value: Any?

    init(_ dictionary: CFDictionary) throws(KeychainError) {
        var keys: [Any] = []
        var values: [Any] = []
        keys.reserveCapacity(dictionary.count)
        values.reserveCapacity(dictionary.count)
        dictionary.getObjects(&values, andKeys: &keys, count: dictionary.count)
        for (key, value) in zip(keys, values) {
            guard let text = QueryKey.text(key), !(value is NSNull) else {
                throw KeychainError(.invalidParameter, .update)
            }
            if text == "v_Data" {
                self.value = value
            } else if let name = QueryKey.name(text) {
                if name != .noLegacy && name != .multiUser { attributes.append((name, value)) }
            } else {
                throw KeychainError(.noSuchAttribute, .update, subject: .parameter(text))
            }
        }
    }
}
