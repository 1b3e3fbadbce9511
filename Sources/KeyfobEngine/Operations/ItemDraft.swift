// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

/// An item about to be written: everything but the sealing done.
struct ItemDraft {
    let uuid: ItemUUID
    let scope: Scope
    /// Complete: defaults and dates filled in; without `agrp`, `sync`, `pdmn`, `accc`.
    let attributes: AttributeSet
    let key: ClassKeyID
    /// Nil: the bare object of the accessibility class.
    let accessControl: AccessControl?
    let revision: Int64
    /// What the item's blobs are sealed with besides its class key; nil: nothing.
    var itemGuard: ItemGuard?

    private let tuple: [UInt8]
    private let extra: [UInt8]
    private let vault: Vault
    private let index: ItemIndex

    init(
        uuid: ItemUUID, scope: Scope, attributes: AttributeSet, key: ClassKeyID, accessControl: AccessControl?,
        revision: Int64, vault: Vault, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        self.uuid = uuid
        self.scope = scope
        self.attributes = attributes
        self.key = key
        self.accessControl = accessControl
        self.revision = revision
        self.vault = vault
        index = try vault.index(operation)
        tuple = index.tuple(scope.name.itemClass, attributes)
        extra = index.extra(scope.name.itemClass, attributes)
    }

    /// Refuses an item that is synchronizable and bound to this token, or to rules.
    ///
    /// - Throws: `.invalidParameter`.
    func checkSynchronizable(_ operation: KeychainError.Operation) throws(KeychainError) {
        guard scope.name.isSynchronizable else { return }
        if key.accessibility.isThisDeviceOnly || accessControl?.hasRules == true {
            throw KeychainError(
                .invalidParameter, operation, subject: .parameter(AttributeName.synchronizable.code))
        }
    }

    /// What the sealed blobs are tied to.
    var binding: ItemBinding {
        ItemBinding(
            keychain: vault.keychain, item: uuid, scope: scope.digest, tuple: tuple, extra: extra, key: key,
            accessControl: accessControl?.encoded ?? [])
    }

    /// The row for the store: attributes sealed here, `value` as it was sealed before (or nil).
    ///
    /// - Throws: `.interactionNotAllowed` if the class is locked.
    func sealed(value: [UInt8]?, _ operation: KeychainError.Operation) throws(KeychainError) -> NewItem {
        let encoded: SecretBytes
        do { encoded = try AttributeCodec.encode(attributes) } catch { throw KeychainError(error, operation) }
        let metadata = try vault.sealMetadata(
            encoded, binding: binding, revision: revision, itemGuard: itemGuard, operation)
        return NewItem(
            uuid: uuid, scope: scope.id ?? 0, tuple: tuple, extra: extra, classKey: key.accessibility.rawValue,
            generation: key.generation, accessControl: accessControl?.encoded ?? [], revision: revision,
            metadata: metadata, value: value, searchDigests: SearchDigests.of(attributes, in: scope, index))
    }

    /// Attributes with the defaults of the class in place of absent ones.
    static func filled(_ attributes: AttributeSet, _ itemClass: ItemClass) -> AttributeSet {
        var filled = attributes
        for schema in itemClass.schema {
            if let value = schema.defaultValue, filled[schema.name] == nil { filled[schema.name] = value }
        }
        for name in [.sha1, .tombstone, .multiUser] as [AttributeName] { filled[name] = nil }
        return filled
    }
}
