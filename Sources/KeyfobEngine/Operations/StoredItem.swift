// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

/// A row with the compartment it lies in, ready to be opened.
struct StoredItem: Sendable {
    let row: SealedItem
    let scope: Scope
    let key: ClassKeyID
    private let vault: Vault

    /// Nil if the row names no accessibility class.
    init?(_ row: SealedItem, scope: Scope, vault: Vault) {
        guard let accessibility = Accessibility(rawValue: row.classKey) else { return nil }
        self.row = row
        self.scope = scope
        self.vault = vault
        key = ClassKeyID(accessibility, generation: row.generation)
    }

    var reference: PersistentReference {
        PersistentReference(itemClass: scope.name.itemClass, uuid: row.uuid)
    }

    /// The access control that the item was given, or nil if it was given none.
    var accessControl: AccessControl? { AccessControl(encoded: row.accessControl) }

    var binding: ItemBinding {
        ItemBinding(
            keychain: vault.keychain, item: row.uuid, scope: scope.digest, tuple: row.tuple, extra: row.extra,
            key: key, accessControl: row.accessControl)
    }

    /// Whether it takes a person or a password to open it, as the row says; that this is true shows when it is opened.
    var isGuarded: Bool { Envelope.isGuarded(row.metadata) }

    /// The header of the item's guard; nil: it has none.
    func guardHeader() throws(OpenFailure) -> ItemGuard.Header? {
        try vault.guardHeader(of: row.metadata, binding: binding)
    }

    /// Opens the attributes; no token call while the class's metadata key is open.
    func attributes(
        _ operation: KeychainError.Operation, _ itemGuard: ItemGuard? = nil
    ) throws(OpenFailure) -> AttributeSet {
        let encoded = try vault.openMetadata(
            row.metadata, binding: binding, revision: row.revision, itemGuard: itemGuard, operation)
        guard let attributes = encoded.withBytes({ AttributeCodec.decode($0) }) else { throw .damaged(.malformed) }
        return attributes
    }

    /// The attributes as an answer has them: with group, flag, class and the constant ones.
    func answer(_ attributes: AttributeSet) -> AttributeSet {
        var answer = attributes
        answer[.accessGroup] = .text(scope.name.group.utf8)
        answer[.synchronizable] = .number(scope.name.isSynchronizable ? 1 : 0)
        answer[.accessible] = .text(key.accessibility.code)
        answer[.tombstone] = .number(0)
        answer[.multiUser] = .data(WipedBytes())
        return answer
    }

    /// Opens the value, if there is one, into a secret of its own; one token operation.
    func value(
        _ operation: KeychainError.Operation, _ itemGuard: ItemGuard? = nil
    ) throws(OpenFailure) -> SecretBytes? {
        guard let blob = row.value else { return nil }
        guard let size = Envelope.valueSize(ofSealed: blob) else { throw .damaged(.truncated) }
        var value: SecretBytes
        do { value = try SecretBytes(count: size) } catch { throw .unavailable(KeychainError(error, operation)) }
        _ = unsafe try value.withUnsafeMutableBytes { (output) throws(OpenFailure) in
            unsafe try vault.openValue(blob, binding: binding, itemGuard: itemGuard, into: output, operation)
        }
        return value
    }
}
