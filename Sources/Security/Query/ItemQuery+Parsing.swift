// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

extension ItemQuery {
    /// What the dictionary of a copy, an update or a delete says about the items it means.
    ///
    /// Values that every item has (`tomb` 0, an empty `musr`) are no filter: attributes that were read back are a query.
    ///
    /// - Throws: `.invalidParameter`, `.noSuchAttribute`, `.noSuchClass`, `.unimplemented`.
    init(_ query: QueryDictionary) throws(KeychainError) {
        let itemClass = try query.itemClass()
        var parsed = try ParsedAttributes(query.attributes, of: itemClass, query.operation)
        if parsed.attributes[.tombstone] == .number(0) { parsed.attributes[.tombstone] = nil }
        if case .data(let user) = parsed.attributes[.multiUser], user.count == 0 { parsed.attributes[.multiUser] = nil }
        self.init(
            itemClass: itemClass, attributes: parsed.attributes, accessGroup: parsed.accessGroup,
            synchronizable: parsed.synchronizable ?? (query.persistentReference == nil ? .localOnly : .any),
            accessibility: parsed.accessibility, persistentReference: query.persistentReference)
    }
}
