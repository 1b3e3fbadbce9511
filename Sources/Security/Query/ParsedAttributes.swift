// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel

/// The attributes of a dictionary, normalised; those that every item has stand apart.
struct ParsedAttributes {
    var attributes = AttributeSet()
    private(set) var accessGroup: AccessGroup?
    private(set) var synchronizable: SynchronizableFilter?
    private(set) var accessibility: Accessibility?
    private(set) var accessControl: AccessControl?

    private let operation: KeychainError.Operation

    /// Attributes that only the framework itself may set.
    private static let privileged = Set(
        ["ggrp", "sysb", "pcss", "pcsk", "pcsi", "dspk", "binn", "bini", "bin0", "bin1", "bin2", "bin3"]
            .compactMap { AttributeName($0) })
    private static let appClip = AttributeName("clip")

    /// Looks up and normalises each attribute.
    ///
    /// - Throws: `.noSuchAttribute` if the class has not got it, `.invalidParameter` for a value that its kind does not
    ///   accept or an accessibility that an access control contradicts; in an add `.missingEntitlement` for attributes of
    ///   the framework.
    init(
        _ given: [(name: AttributeName, value: Any)], of itemClass: ItemClass, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        self.operation = operation
        for (name, value) in given {
            guard let schema = itemClass.schema(of: name) else { throw Self.unknown(name, operation) }
            try take(schema, value)
        }
        if let accessControl, let accessibility, accessControl != AccessControl(bare: accessibility) {
            throw invalid(.accessControl)
        }
    }

    /// The accessibility that an item gets, from whichever of the two names one.
    var protection: Accessibility? { accessibility ?? accessControl?.protection }

    /// Refuses an item that is synchronizable and bound to this token, or to rules.
    ///
    /// - Throws: `.invalidParameter`.
    func checkSynchronizable() throws(KeychainError) {
        guard synchronizable == .synchronizableOnly else { return }
        if protection?.isThisDeviceOnly == true || accessControl?.hasRules == true { throw invalid(.synchronizable) }
    }

    private mutating func take(_ schema: AttributeSchema, _ value: Any) throws(KeychainError) {
        if schema.kind == .accessControl {
            guard let object = value as? SecAccessControl else { throw invalid(schema.name) }
            accessControl = object.value
            return
        }
        guard let parsed = AttributeValue(value, as: schema.kind) else { throw invalid(schema.name) }
        switch (schema.name, parsed) {
        case (.accessGroup, .text(let name)): accessGroup = AccessGroup(utf8: name)
        case (.accessible, .text(let code)):
            guard let known = Accessibility(code: code.string) else { throw invalid(.accessible) }
            accessibility = known
        case (.synchronizable, .number(0)): synchronizable = .localOnly
        case (.synchronizable, .number(1)): synchronizable = .synchronizableOnly
        case (.synchronizable, let other) where other == .text("syna"): synchronizable = .any
        case (.synchronizable, _): throw invalid(.synchronizable)
        default: attributes[schema.name] = parsed
        }
    }

    private func invalid(_ name: AttributeName) -> KeychainError {
        KeychainError(.invalidParameter, operation, subject: .parameter(name.code))
    }

    private static func unknown(_ name: AttributeName, _ operation: KeychainError.Operation) -> KeychainError {
        let code: KeychainError.Code =
            switch operation {
            case .add where privileged.contains(name): .missingEntitlement
            case .add where name == appClip: .invalidParameter
            default: .noSuchAttribute
            }
        return KeychainError(code, operation, subject: .parameter(name.code))
    }
}
