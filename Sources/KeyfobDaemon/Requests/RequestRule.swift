// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel

/// Holds requests from frames to what `Security` makes of dictionaries; the engine checks nothing of it again.
enum RequestRule {
    /// - Throws: `.noSuchClass`, `.unimplemented` for a class that is not kept, `.invalidParameter` naming what is wrong.
    static func check(_ request: borrowing AddRequest) throws(KeychainError) {
        try check(request.itemClass, .add)
        try AttributeRule(setting: request.itemClass).check(request.attributes, .add)
        try check(request.accessGroup, .add)
        if let control = request.accessControl, let accessibility = request.accessibility {
            guard control.protection == accessibility else { throw invalid("pdmn", .add) }
        }
    }

    /// - Throws: as for an add.
    static func check(_ query: ItemQuery, _ operation: KeychainError.Operation) throws(KeychainError) {
        try check(query.itemClass, operation)
        try AttributeRule(query: query.itemClass).check(query.attributes, operation)
        try check(query.accessGroup, operation)
        if let reference = query.persistentReference, reference.itemClass != query.itemClass {
            throw KeychainError(.noSuchClass, operation)
        }
    }

    /// - Throws: as for an add.
    static func check(_ request: borrowing UpdateRequest) throws(KeychainError) {
        try check(request.query, .update)
        try AttributeRule(setting: request.query.itemClass).check(request.changes, .update)
        try check(request.accessGroup, .update)
        if let control = request.accessControl, let accessibility = request.accessibility {
            guard control.protection == accessibility else { throw invalid("pdmn", .update) }
        }
    }

    /// - Throws: `.invalidParameter` for a name that is no text.
    static func check(_ group: AccessGroup?, _ operation: KeychainError.Operation) throws(KeychainError) {
        guard let group, !group.utf8.isUTF8 else { return }
        throw invalid("agrp", operation)
    }

    private static func check(
        _ itemClass: ItemClass, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        guard itemClass.schema.isEmpty else { return }
        throw KeychainError(.unimplemented, operation, subject: .parameter("class"))
    }

    private static func invalid(_ name: String, _ operation: KeychainError.Operation) -> KeychainError {
        KeychainError(.invalidParameter, operation, subject: .parameter(name))
    }
}
