// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobStore
internal import KeyfobVault
internal import Synchronization

/// Which compartments a keychain has.
///
/// There are few (classes times groups), so all are kept in memory.
///
/// Their names are sealed in the store and opened only for callers that are given every group; others name theirs.
final class ScopeDirectory: Sendable {
    private struct State {
        var idsByDigest: [[UInt8]: Int64]
        var known: [ScopeName: Scope] = [:]
    }

    private let vault: Vault
    private let store: ItemStore
    private let state: Mutex<State>

    init(vault: Vault, store: ItemStore) throws(KeychainError) {
        self.vault = vault
        self.store = store
        let records = try store.scopes()
        state = Mutex(State(idsByDigest: Dictionary(records.map { ($0.digest, $0.id) }) { first, _ in first }))
    }

    /// The compartment of that name, whether it holds items or not.
    ///
    /// - Throws: as `Vault.index`.
    func scope(_ name: ScopeName, _ operation: KeychainError.Operation) throws(KeychainError) -> Scope {
        if let known = state.withLock({ $0.known[name] }) { return known }
        let digest = try vault.index(operation).scope(
            name.itemClass, name.group, isSynchronizable: name.isSynchronizable)
        return state.withLock { state in
            let scope = Scope(id: state.idsByDigest[digest], name: name, digest: digest)
            // One that has no items yet is not remembered: its number is still to come.
            if scope.id != nil { state.known[name] = scope }
            return scope
        }
    }

    /// Takes note of the number that the store gave a compartment, after the transaction that did is durable.
    func remember(_ scope: Scope, id: Int64) -> Scope {
        let numbered = Scope(id: id, name: scope.name, digest: scope.digest)
        state.withLock { state in
            state.idsByDigest[scope.digest] = id
            state.known[scope.name] = numbered
        }
        return numbered
    }

    /// The compartments that hold items a query can mean, given the caller's groups.
    ///
    /// - Throws: as `scope`, and the store's faults.
    func scopes(
        for query: ItemQuery, _ entitlements: Entitlements, forWriting: Bool, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [Scope] {
        let groups: [AccessGroup]
        if let asked = query.accessGroup {
            groups = [asked]
        } else if entitlements.isWildcard {
            groups = try allGroups().filter { entitlements.allows($0, forWriting: forWriting) }
        } else {
            groups = entitlements.groups.filter { entitlements.allows($0, forWriting: forWriting) }
        }
        let flags: [Bool] =
            switch query.synchronizable {
            case .localOnly: [false]
            case .synchronizableOnly: [true]
            case .any: [false, true]
            }
        var scopes: [Scope] = []
        for group in groups {
            for flag in flags {
                let name = ScopeName(itemClass: query.itemClass, group: group, isSynchronizable: flag)
                scopes.append(try scope(name, operation))
            }
        }
        return scopes.filter { $0.id != nil }
    }

    /// Every group that holds items, from the sealed names of the store.
    func allGroups() throws(KeychainError) -> [AccessGroup] {
        var groups: [AccessGroup] = []
        for name in try names().compactMap(\.name) where !groups.contains(name.group) { groups.append(name.group) }
        return groups
    }

    /// Every compartment of the store with its name; nil where the name does not open.
    func names() throws(KeychainError) -> [(id: Int64, digest: [UInt8], name: ScopeName?)] {
        var found: [(Int64, [UInt8], ScopeName?)] = []
        for record in try store.scopes() {
            do throws(OpenFailure) {
                let opened = try vault.openScopeName(record.sealed, digest: record.digest)
                found.append((record.id, record.digest, opened.withBytes { Self.decode($0) }))
            } catch {
                switch error {
                case .damaged: found.append((record.id, record.digest, nil))
                case .unavailable(let error): throw error
                }
            }
        }
        return found
    }

    /// The sealed name that a new compartment is stored with.
    func sealedName(of scope: Scope) throws(KeychainError) -> [UInt8] {
        let header = [scope.name.itemClass.rawValue, scope.name.isSynchronizable ? 1 : 0]
        let encoded: SecretBytes
        do { encoded = try SecretBytes(copying: header + scope.name.group.utf8.array) } catch {
            throw KeychainError(error, .add)
        }
        return try vault.sealScopeName(encoded, digest: scope.digest)
    }

    private static func decode(_ bytes: RawSpan) -> ScopeName? {
        guard bytes.byteCount >= 2 else { return nil }
        let (code, flag) = unsafe bytes.withUnsafeBytes { unsafe ($0[0], $0[1]) }
        guard let itemClass = ItemClass(rawValue: code), flag <= 1 else { return nil }
        let group = AccessGroup(utf8: WipedBytes(copying: bytes.extracting(2...)))
        return ScopeName(itemClass: itemClass, group: group, isSynchronizable: flag == 1)
    }
}
