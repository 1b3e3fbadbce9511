// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault

extension KeychainEngine {
    /// The access groups that hold items, by name; for the keychain's owner, whatever the caller's entitlements.
    ///
    /// Works in every state.
    package func accessGroups() throws(KeychainError) -> [AccessGroupUse] {
        var items: [AccessGroup: Int] = [:]
        for (id, _, name) in try core.directory.names() {
            guard let name else { continue }
            items[name.group, default: 0] += try core.store.count(ItemSelection(scopes: [id]))
        }
        return items.filter { $0.value > 0 }.map { AccessGroupUse(group: $0.key, items: $0.value) }
            .sorted { $0.group.name < $1.group.name }
    }

    /// Moves every item of a group to another: the way back for a program whose application identifier changed.
    ///
    /// The items of one class move together or not at all. If an item of the same key is in the new group already, nothing
    /// of that class moves; what moved before stays moved, and trying again goes on.
    ///
    /// - Parameter caller: who asked, for the audit log; nil: this process.
    /// - Returns: how many items moved.
    /// - Throws: `.itemNotFound` if the old group holds nothing, `.duplicateItem`, `.interactionNotAllowed` (items are
    ///   sealed anew), `.presenceRequired` if one needs a person, `.missingEntitlement` for the group that nobody writes to.
    package func moveAccessGroup(
        _ old: AccessGroup, to new: AccessGroup, by caller: Caller? = nil
    ) throws(KeychainError) -> Int {
        try recording(.move, by: caller, of: [old, new]) { () throws(KeychainError) in try move(old, to: new) }
    }

    private func move(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int {
        guard let use = try accessGroups().first(where: { $0.group == old }) else {
            throw KeychainError(.itemNotFound, .update, subject: .accessGroup(old))
        }
        guard old != new else { return 0 }
        let owner = unobservedService(with: Entitlements(applicationIdentifier: "*"))
        for itemClass in ItemClass.allCases where !itemClass.schema.isEmpty {
            let query = ItemQuery(itemClass: itemClass, accessGroup: old, synchronizable: .any)
            do {
                try owner.update(UpdateRequest(query, accessGroup: new))
            } catch {
                guard error.code == .itemNotFound else { throw error }
            }
        }
        return use.items
    }
}
