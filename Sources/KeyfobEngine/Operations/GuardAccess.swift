// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobVault

/// What one operation may open with the credentials that came with it.
///
/// Belongs to the thread of the operation. Each guard is opened once, however often the operation looks at its item: the
/// PIN reaches the token once an item. The first refusal ends the operation.
final class GuardAccess {
    private let vault: Vault
    private let credentials: Credentials?
    private let operation: KeychainError.Operation
    private var opened: [[UInt8]: ItemGuard] = [:]

    init(_ vault: Vault, _ credentials: Credentials?, _ operation: KeychainError.Operation) {
        self.vault = vault
        self.credentials = credentials
        self.operation = operation
    }

    /// The opened guard of an item; nil: it has none.
    ///
    /// - Throws: `.presenceRequired`, `.applicationPasswordRequired` before anything reaches the token; what
    ///   `Vault.openGuard` throws.
    func open(_ item: StoredItem) throws(OpenFailure) -> ItemGuard? {
        guard item.isGuarded, let header = try item.guardHeader() else { return nil }
        let key = header.identity
        if let known = opened[key] { return known }
        do throws(KeychainError) { try require(header.demand, item) } catch { throw .unavailable(error) }
        let made: ItemGuard
        if let credentials {
            made = try vault.openGuard(
                header, pin: credentials.pin, password: credentials.applicationPassword, binding: item.binding,
                operation)
        } else {
            made = try vault.openGuard(header, pin: nil, password: nil, binding: item.binding, operation)
        }
        opened[key] = made
        return made
    }

    /// A guard for an item that is written anew; nil: it needs none.
    func fresh(_ demand: AccessControl.Demand?, _ binding: ItemBinding) throws(KeychainError) -> ItemGuard? {
        guard let demand else { return nil }
        guard let credentials else { return try vault.freshGuard(demand, password: nil, binding: binding, operation) }
        return try vault.freshGuard(demand, password: credentials.applicationPassword, binding: binding, operation)
    }

    private func require(_ demand: AccessControl.Demand, _ item: StoredItem) throws(KeychainError) {
        if demand.needsApplicationPassword, credentials?.has(.applicationPassword) != true {
            throw KeychainError(.applicationPasswordRequired, operation, subject: .item(item.reference))
        }
        guard demand.needsPresence, credentials?.has(.pin) != true else { return }
        if try vault.hasPinPad(operation) { return }
        throw KeychainError(.presenceRequired, operation, subject: .item(item.reference))
    }
}
