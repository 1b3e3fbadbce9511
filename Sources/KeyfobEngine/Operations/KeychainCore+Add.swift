// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

extension KeychainCore {
    /// SecItemAdd: policy, seal (one token operation, outside of any transaction), one durable insert.
    func add(
        _ request: borrowing AddRequest, _ entitlements: Entitlements, _ trace: AccessTrace? = nil
    ) throws(KeychainError) -> MatchResult {
        let group = try entitlements.groupForAdding(request.accessGroup)
        let protection = request.accessControl?.protection ?? request.accessibility ?? .whenUnlocked
        let demand = try vault.demand(of: request.accessControl, .add)
        let access = GuardAccess(vault, request.credentials, .add)
        let key = try vault.currentKey(for: protection, .add)
        try vault.requireUsable(key, .add)
        var attributes = ItemDraft.filled(request.attributes, request.itemClass)
        let now = WallClock.now()
        attributes[.creationDate] = .date(now)
        attributes[.modificationDate] = .date(now)
        let name = ScopeName(
            itemClass: request.itemClass, group: group, isSynchronizable: request.isSynchronizable)
        var draft = try ItemDraft(
            uuid: try Vault.freshUUID(.add), scope: try directory.scope(name, .add), attributes: attributes, key: key,
            accessControl: request.accessControl, revision: 1, vault: vault, .add)
        try draft.checkSynchronizable(.add)
        draft.itemGuard = try access.fresh(demand, draft.binding)
        trace?.name(draft.scope.digest)
        let toCount = try seals.reserve(2, key, .add)
        let value: [UInt8]?
        switch request.value {
        case .some(let secret):
            value = try vault.sealValue(secret, binding: draft.binding, itemGuard: draft.itemGuard, .add)
        case .none: value = nil
        }
        let id = try insert(try draft.sealed(value: value, .add), draft, access, countingSeals: toCount)
        if draft.scope.id == nil { _ = directory.remember(draft.scope, id: id) }
        trace?.touch(draft.uuid, in: draft.scope)
        return try answer(draft, request)
    }

    /// Stores the row, durably, and returns the number of its compartment.
    private func insert(
        _ item: NewItem, _ draft: ItemDraft, _ access: GuardAccess, countingSeals toCount: Int64
    ) throws(KeychainError) -> Int64 {
        let sealedName = draft.scope.id == nil ? try directory.sealedName(of: draft.scope) : []
        var item = item
        let damaged = try store.write(.add) { (transaction) throws(KeychainError) -> SealedItem? in
            if draft.scope.id == nil {
                item.scope = try transaction.scope(digest: draft.scope.digest, sealed: sealedName)
            }
            if toCount > 0 { try count(toCount, draft.key, in: transaction) }
            do throws(KeychainError) {
                _ = try transaction.insert(item)
                return nil
            } catch {
                guard error.code == .duplicateItem,
                    let other = try transaction.item(scope: item.scope, tuple: item.tuple, extra: item.extra)
                else { throw error }
                return other
            }
        }
        if let damaged { try replace(damaged, by: item, draft, access) }
        return item.scope
    }

    /// An item of the same key that no longer opens gives way to the new one; any other is a duplicate.
    ///
    /// Only a row whose own bytes are at fault gives way: one whose key is missing or locked is never touched. One that needs
    /// a person is not looked at without.
    private func replace(
        _ row: SealedItem, by item: NewItem, _ draft: ItemDraft, _ access: GuardAccess
    ) throws(KeychainError) {
        let duplicate = KeychainError(
            .duplicateItem, .add,
            subject: .item(PersistentReference(itemClass: draft.scope.name.itemClass, uuid: row.uuid)))
        let scope = Scope(id: row.scope, name: draft.scope.name, digest: draft.scope.digest)
        guard let stored = StoredItem(row, scope: scope, vault: vault) else { throw duplicate }
        var column = "attributes"
        do throws(OpenFailure) {
            try requireUsable(stored, .add)
            let itemGuard = try access.open(stored)
            _ = try stored.attributes(.add, itemGuard)
            column = "value"
            _ = try stored.value(.add, itemGuard)
            throw .unavailable(duplicate)
        } catch {
            guard case .damaged(let fault) = error else {
                // Whether it is whole cannot be told, and a person could.
                if case .unavailable(let error) = error, stored.isGuarded, !Self.isMissingKey(error) { throw error }
                throw duplicate
            }
            report(stored, fault, column: "\(column) (replaced by a new item of the same key)")
        }
        try store.write(.add) { (transaction) throws(KeychainError) in
            // An update may have made the row whole meanwhile.
            guard try transaction.item(row.id)?.revision == row.revision, try transaction.delete([row.id]) == 1
            else { throw duplicate }
            _ = try transaction.insert(item)
        }
    }

    /// Adds reserved seals to the store's count.
    func count(
        _ seals: Int64, _ key: ClassKeyID, in transaction: borrowing StoreTransaction
    ) throws(KeychainError) {
        _ = try transaction.addSeals(key.accessibility.rawValue, generation: key.generation, count: seals)
    }

    private func answer(_ draft: ItemDraft, _ request: borrowing AddRequest) throws(KeychainError) -> MatchResult {
        var result = ItemResult(itemClass: draft.scope.name.itemClass)
        var value: SecretBytes?
        if request.returns.contains(.persistentReference) {
            result.persistentReference = PersistentReference(itemClass: result.itemClass, uuid: draft.uuid)
        }
        if request.returns.contains(.attributes) {
            var attributes = draft.attributes
            attributes[.accessGroup] = .text(draft.scope.name.group.utf8)
            attributes[.synchronizable] = .number(draft.scope.name.isSynchronizable ? 1 : 0)
            attributes[.accessible] = .text(draft.key.accessibility.code)
            attributes[.tombstone] = .number(0)
            attributes[.multiUser] = .data(WipedBytes())
            result.accessControl = request.accessControl
            result.attributes = attributes
        }
        if request.returns.contains(.data) {
            switch request.value {
            case .some(let given):
                do { value = try given.copy() } catch { throw KeychainError(error, .add) }
                result.value = 0..<given.count
            case .none: break
            }
        }
        if request.returns.contains(.attributes) {
            result.attributes?[.sha1] = try itemDigest(draft.attributes, request.value, .add)
        }
        return MatchResult(items: [result], values: value)
    }
}
