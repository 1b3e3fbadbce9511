// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobMemory
internal import KeyfobModel
internal import Synchronization
internal import Testing

extension FakeAccess {
    /// Puts an item into the keychain as a program would, whatever its lock state is; records an issue if it cannot.
    func store(
        _ name: String, account: String = "", value: [UInt8] = [], group: String = "ada", synchronizable: Bool = false,
        accessibility: Accessibility = .whenUnlocked
    ) {
        store(
            [.service: .text(name), .account: .text(account)], .genericPassword, value: value, group: group,
            synchronizable: synchronizable, accessibility: accessibility)
    }

    /// The same for any attributes.
    func store(
        _ attributes: AttributeSet, _ itemClass: ItemClass, value: [UInt8] = [], group: String = "ada",
        synchronizable: Bool = false, accessibility: Accessibility = .whenUnlocked
    ) {
        let wasUnlocked = keychain.state.withLock { state in
            defer { state.isUnlocked = true }
            return state.isUnlocked
        }
        defer { keychain.state.withLock { $0.isUnlocked = wasUnlocked } }
        do {
            _ = try keychain.add(
                AddRequest(
                    itemClass: itemClass, attributes: attributes, accessGroup: AccessGroup(group),
                    isSynchronizable: synchronizable, accessibility: accessibility,
                    value: try SecretBytes(copying: value)))
        } catch {
            Issue.record("the fake refused an item: \(error)")
        }
    }
}
