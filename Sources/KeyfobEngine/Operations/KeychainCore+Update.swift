// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault

extension KeychainCore {
    /// SecItemUpdate: every match is opened, changed and sealed again outside of any transaction; one transaction then
    /// replaces all of them or none.
    ///
    /// If a row changed meanwhile the whole update is done again.
    func update(
        _ request: borrowing UpdateRequest, _ entitlements: Entitlements, _ trace: AccessTrace? = nil
    ) throws(KeychainError) {
        let scopes = try writableScopes(request.query, entitlements, .update)
        if let group = request.accessGroup, !entitlements.allows(group, forWriting: true) {
            throw Entitlements.missing(group, .update)
        }
        let demand = try vault.demand(of: request.accessControl, .update)
        let access = GuardAccess(vault, request.credentials, .update)
        guard let selection = SearchDigests.selection(request.query, in: scopes, try vault.index(.update)) else {
            throw Self.notFound(.update)
        }
        for _ in 0..<Self.attempts {
            if try attempt(request, demand, access, selection, scopes, trace) { return }
        }
        try turns.take { () throws(KeychainError) in
            for _ in 0..<Self.attemptsInTurn {
                if try attempt(request, demand, access, selection, scopes, trace) { return }
            }
            throw KeychainError(.timedOut, .update)
        }
    }

    private static let attempts = 3
    /// In turn, one loses only to updates that have just begun.
    private static let attemptsInTurn = 256

    private struct Replacement {
        let id: Int64
        let expected: Int64
        var item: NewItem
        let keepsValue: Bool
        let draft: ItemDraft
        let toCount: Int64
    }

    /// One try; false if a row changed between reading and writing.
    private func attempt(
        _ request: borrowing UpdateRequest, _ demand: AccessControl.Demand?, _ access: GuardAccess,
        _ selection: ItemSelection, _ scopes: [Scope], _ trace: AccessTrace?
    ) throws(KeychainError) -> Bool {
        var replacements: [Replacement] = []
        var missingKey: KeychainError?
        try forEachRow(selection, request.query, withValues: true) { (row) throws(KeychainError) in
            guard let item = item(row, in: scopes) else { return }
            do throws(OpenFailure) {
                if let replacement = try replacement(of: item, request, demand, access) {
                    replacements.append(replacement)
                }
            } catch {
                switch error {
                case .damaged(let fault): report(item, fault, column: "row")
                case .unavailable(let error):
                    guard Self.isMissingKey(error) else { throw error }
                    missingKey = error
                }
            }
        }
        guard !replacements.isEmpty else { throw missingKey ?? Self.notFound(.update) }
        guard try write(replacements) else { return false }
        vault.wipeItemKeys(of: replacements.lazy.filter { !$0.keepsValue }.map(\.draft.uuid))
        if let trace {
            for replacement in replacements { trace.touch(replacement.draft.uuid, in: replacement.draft.scope) }
        }
        return true
    }

    private func write(_ replacements: [Replacement]) throws(KeychainError) -> Bool {
        var sealedNames: [Int: [UInt8]] = [:]
        for (index, replacement) in replacements.enumerated() where replacement.draft.scope.id == nil {
            sealedNames[index] = try directory.sealedName(of: replacement.draft.scope)
        }
        var numbers: [Int: Int64] = [:]
        do throws(KeychainError) {
            numbers = try store.write(.update, alone: replacements.count > Self.largeWrite) {
                (transaction) throws(KeychainError) in
                var numbers: [Int: Int64] = [:]
                for (index, replacement) in replacements.enumerated() {
                    var item = replacement.item
                    if let name = sealedNames[index] {
                        item.scope = try transaction.scope(digest: replacement.draft.scope.digest, sealed: name)
                        numbers[index] = item.scope
                    }
                    if replacement.toCount > 0 {
                        try count(replacement.toCount, replacement.draft.key, in: transaction)
                    }
                    let done = try transaction.replace(
                        replacement.id, expecting: replacement.expected, with: item,
                        keepingValue: replacement.keepsValue)
                    // Rolls back the whole update; `.timedOut` is told apart below and never leaves here.
                    guard done else { throw KeychainError(.timedOut, .update) }
                }
                return numbers
            }
        } catch {
            guard error.code == .timedOut else { throw error }
            return false
        }
        for (index, id) in numbers { _ = directory.remember(replacements[index].draft.scope, id: id) }
        return true
    }

    /// The item as it will be, sealed; nil if a post-filter of the query leaves it out.
    private func replacement(
        of item: StoredItem, _ request: borrowing UpdateRequest, _ demand: AccessControl.Demand?, _ access: GuardAccess
    ) throws(OpenFailure) -> Replacement? {
        try requireUsable(item, .update)
        let itemGuard = try access.open(item)
        let old = try item.attributes(.update, itemGuard)
        guard fits(old, request.query) else { throw .damaged(.otherAttributes) }
        guard passes(old, request.query) else { return nil }
        do {
            var draft = try draft(item, old, request)
            let isBoundAnew = draft.binding != item.binding
            let hasNewValue = request.value != nil
            let keepsValue = !isBoundAnew && !hasNewValue
            if keepsValue {
                // The value stays as it was sealed, and so do the secrets that open it.
                draft.itemGuard = itemGuard
            } else {
                let setsAccess = request.accessControl != nil || request.accessibility != nil
                let kept = try item.guardHeader()?.demand
                draft.itemGuard = try access.fresh(setsAccess ? demand : kept, draft.binding)
            }
            let toCount = try seals.reserve(2, draft.key, .update)
            var value: [UInt8]?
            switch request.value {
            case .some(let secret):
                value = try vault.sealValue(secret, binding: draft.binding, itemGuard: draft.itemGuard, .update)
            case .none where isBoundAnew && item.row.value != nil:
                if let secret = try item.value(.update, itemGuard) {
                    value = try vault.sealValue(
                        secret, binding: draft.binding, itemGuard: draft.itemGuard, .update)
                }
            case .none:
                value = nil
            }
            return Replacement(
                id: item.row.id, expected: item.row.revision, item: try draft.sealed(value: value, .update),
                keepsValue: keepsValue, draft: draft, toCount: toCount)
        } catch let failure as OpenFailure {
            throw failure
        } catch let error as KeychainError {
            throw .unavailable(error)
        } catch {
            throw .unavailable(KeychainError(.internalError, .update))
        }
    }

    /// The item as it will be.
    private func draft(
        _ item: StoredItem, _ old: AttributeSet, _ request: borrowing UpdateRequest
    ) throws(KeychainError) -> ItemDraft {
        var attributes = old
        for (name, value) in request.changes { attributes[name] = value }
        attributes = ItemDraft.filled(attributes, item.scope.name.itemClass)
        attributes[.modificationDate] = .date(Self.modificationDate(after: old[.modificationDate]))
        let name = ScopeName(
            itemClass: item.scope.name.itemClass, group: request.accessGroup ?? item.scope.name.group,
            isSynchronizable: request.isSynchronizable ?? item.scope.name.isSynchronizable)
        var key = item.key
        var accessControl = item.accessControl
        if let protection = request.accessControl?.protection ?? request.accessibility {
            key = try vault.currentKey(for: protection, .update)
            accessControl = request.accessControl
        }
        let draft = try ItemDraft(
            uuid: item.row.uuid, scope: try directory.scope(name, .update), attributes: attributes, key: key,
            accessControl: accessControl, revision: item.row.revision + 1, vault: vault, .update)
        try draft.checkSynchronizable(.update)
        return draft
    }

    /// Now, or one millisecond after the old date if the clock went back.
    private static func modificationDate(after old: AttributeValue?) -> Double {
        guard case .date(let last) = old else { return WallClock.now() }
        return max(WallClock.now(), last + 0.001)
    }
}
