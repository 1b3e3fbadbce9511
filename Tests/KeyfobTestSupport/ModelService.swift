// SPDX-License-Identifier: Apache-2.0
internal import KeyfobMemory
package import KeyfobModel
internal import Synchronization

/// SecItem's semantics in memory, short enough to be checked by reading: what the tests of the front compare with, and
/// the oracle of the randomised tests.
///
/// Left out because it is no semantics of items: tokens, sealing, durability. `sha1` is a stand-in of zeros.
package final class ModelService: KeychainService {
    fileprivate struct State {
        var items: [ModelItem] = []
        var groups: [AccessGroup]
        var locked: Set<Accessibility> = []
        var now = 800_000_000.0
        var entitlementQuestions = 0
    }

    private let state: Mutex<State>

    /// A keychain without items for a caller with those groups, the first of them its default.
    package init(groups: [String] = ["test.default", "test.shared"]) {
        state = Mutex(State(groups: groups.map { AccessGroup($0) }))
    }

    /// The items, in the order they were added.
    package var items: [ModelItem] { state.withLock { $0.items } }

    /// The groups of the caller.
    package var groups: [AccessGroup] {
        get { state.withLock { $0.groups } }
        set { state.withLock { $0.groups = newValue } }
    }

    /// The classes whose key is locked; none at first.
    package var locked: Set<Accessibility> {
        get { state.withLock { $0.locked } }
        set { state.withLock { $0.locked = newValue } }
    }

    /// The clock, in seconds since 2001-01-01Z; it stands still.
    package var now: Double {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// How often `isEntitled` was called.
    package var entitlementQuestions: Int { state.withLock { $0.entitlementQuestions } }

    // MARK: - KeychainService

    package func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult {
        let itemClass = request.itemClass
        let isSynchronizable = request.isSynchronizable
        let accessibility = request.accessibility ?? .whenUnlocked
        let accessControl = request.accessControl
        let returns = request.returns
        let given = request.attributes
        let group = request.accessGroup
        let value = Self.bytes(request.value)
        return try state.withLock { (state) throws(KeychainError) in
            guard let group = group ?? state.groups.first, state.mayWrite(group) else {
                throw KeychainError(.missingEntitlement, .add)
            }
            try state.check(accessibility, accessControl, isSynchronizable, .add)
            var attributes = given
            for schema in itemClass.schema where attributes[schema.name] == nil {
                attributes[schema.name] = schema.defaultValue
            }
            attributes[.creationDate] = .date(state.now)
            attributes[.modificationDate] = .date(state.now)
            attributes[.tombstone] = .number(0)
            attributes[.multiUser] = .data(WipedBytes())
            let item = ModelItem(
                reference: Self.newReference(itemClass), accessGroup: group, isSynchronizable: isSynchronizable,
                accessibility: accessibility, accessControl: accessControl?.hasRules == true ? accessControl : nil,
                attributes: attributes, value: value)
            guard !state.items.contains(where: { $0.hasSameKey(as: item) }) else {
                throw KeychainError(.duplicateItem, .add)
            }
            state.items.append(item)
            var answer = try Self.answer([item], returns, .add)
            answer.items[0].accessControl = returns.contains(.attributes) ? accessControl : nil
            return answer
        }
    }

    package func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult {
        let found = try state.withLock { (state) throws(KeychainError) in
            var found: [ModelItem] = []
            for position in try state.matches(request.query, forWriting: false, .copyMatching) {
                if case .count(let most) = request.limit, found.count >= most { break }
                try state.checkUnlocked(state.items[position].accessibility, .copyMatching)
                guard state.items[position].passes(request.query) else { continue }
                found.append(state.items[position])
            }
            return found
        }
        guard !found.isEmpty else { throw KeychainError(.itemNotFound, .copyMatching) }
        return try Self.answer(found, request.returns, .copyMatching)
    }

    package func update(_ request: consuming UpdateRequest) throws(KeychainError) {
        let query = request.query
        let newAttributes = request.changes
        let newGroup = request.accessGroup
        let newSynchronizable = request.isSynchronizable
        let newAccessibility = request.accessibility
        let newAccessControl = request.accessControl
        let newValue = Self.bytes(request.value)
        try state.withLock { (state) throws(KeychainError) in
            let positions = try state.passing(query, .update)
            if let newGroup, !state.mayWrite(newGroup) { throw KeychainError(.missingEntitlement, .update) }
            guard !positions.isEmpty else { throw KeychainError(.itemNotFound, .update) }
            var changed = state.items
            for position in positions {
                try state.checkUnlocked(changed[position].accessibility, .update)
                let old = changed[position].attributes[.modificationDate]
                for (name, value) in newAttributes { changed[position].attributes[name] = value }
                changed[position].attributes[.modificationDate] = .date(state.later(than: old))
                changed[position].accessGroup = newGroup ?? changed[position].accessGroup
                changed[position].isSynchronizable = newSynchronizable ?? changed[position].isSynchronizable
                if let newAccessibility {
                    changed[position].accessibility = newAccessibility
                    changed[position].accessControl = newAccessControl
                }
                changed[position].value = newValue ?? changed[position].value
                try state.check(
                    changed[position].accessibility, changed[position].accessControl,
                    changed[position].isSynchronizable, .update)
            }
            for position in positions {
                for other in changed.indices where other != position {
                    guard !changed[position].hasSameKey(as: changed[other]) else {
                        throw KeychainError(.duplicateItem, .update)
                    }
                }
            }
            state.items = changed
        }
    }

    package func delete(_ request: DeleteRequest) throws(KeychainError) {
        try state.withLock { (state) throws(KeychainError) in
            let positions = try state.passing(request.query, .delete)
            guard !positions.isEmpty else { throw KeychainError(.itemNotFound, .delete) }
            for position in positions.reversed() { state.items.remove(at: position) }
        }
    }

    package func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool {
        state.withLock { state in
            state.entitlementQuestions += 1
            return forWriting ? state.mayWrite(group) : state.groups.contains(group)
        }
    }

    // MARK: - Answers

    private static func answer(
        _ found: [ModelItem], _ returns: ReturnFlags, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> MatchResult {
        var values: [UInt8] = []
        let items = found.map { item in
            var result = ItemResult(itemClass: item.reference.itemClass)
            if returns.contains(.attributes) {
                result.attributes = item.attributes
                result.attributes?[.accessGroup] = .text(item.accessGroup.utf8)
                result.attributes?[.synchronizable] = .number(item.isSynchronizable ? 1 : 0)
                result.attributes?[.accessible] = .text(item.accessibility.code)
                if operation == .add || returns.contains(.data) {
                    result.attributes?[.sha1] = .data(WipedBytes([UInt8](repeating: 0, count: 20)))
                }
                result.accessControl = item.accessControl ?? AccessControl(bare: item.accessibility)
            }
            if returns.contains(.persistentReference) { result.persistentReference = item.reference }
            if returns.contains(.data), let value = item.value {
                result.value = values.count..<values.count + value.count
                values += value
            }
            return result
        }
        do {
            return MatchResult(items: items, values: try SecretBytes(copying: values))
        } catch {
            throw KeychainError(error, operation)
        }
    }

    private static func bytes(_ secret: borrowing SecretBytes?) -> [UInt8]? {
        switch secret {
        case .some(let secret): unsafe secret.withUnsafeBytes { unsafe Array($0) }
        case .none: nil
        }
    }

    private static func newReference(_ itemClass: ItemClass) -> PersistentReference {
        guard let uuid = ItemUUID((0..<16).map { _ in .random(in: 0...255) }) else { preconditionFailure("16 bytes") }
        return PersistentReference(itemClass: itemClass, uuid: uuid)
    }
}

extension ModelService.State {
    fileprivate func mayWrite(_ group: AccessGroup) -> Bool { groups.contains(group) && group != .token }

    /// Where the items are that the query means and the caller may see, in the order they were added.
    fileprivate func matches(
        _ query: ItemQuery, forWriting: Bool, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [Int] {
        let allowed = forWriting ? groups.filter { $0 != .token } : groups
        guard !allowed.isEmpty, query.accessGroup.map({ allowed.contains($0) }) ?? true else {
            throw KeychainError(.missingEntitlement, operation)
        }
        let wanted = query.accessGroup.map { [$0] } ?? allowed
        return items.indices.filter { wanted.contains(items[$0].accessGroup) && items[$0].matches(query) }
    }

    /// Those of the matches that pass the post-filters too, to be changed; a locked one cannot be asked.
    fileprivate func passing(
        _ query: ItemQuery, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> [Int] {
        let positions = try matches(query, forWriting: true, operation)
        guard query.hostOrSubdomain != nil || !query.textFilters.isEmpty else { return positions }
        for position in positions { try checkUnlocked(items[position].accessibility, operation) }
        return positions.filter { items[$0].passes(query) }
    }

    /// What an item may not be: locked, guarded by constraints (no token here asks for a PIN), both synchronizable and
    /// bound to this device or to rules.
    fileprivate func check(
        _ accessibility: Accessibility, _ accessControl: AccessControl?, _ isSynchronizable: Bool,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        if accessControl?.isConstrained == true { throw KeychainError(.unimplemented, operation) }
        let isBound = accessibility.isThisDeviceOnly || accessControl?.hasRules == true
        if isSynchronizable && isBound { throw KeychainError(.invalidParameter, operation) }
        try checkUnlocked(accessibility, operation)
    }

    fileprivate func checkUnlocked(
        _ accessibility: Accessibility, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        if locked.contains(accessibility) { throw KeychainError(.interactionNotAllowed, operation) }
    }

    /// Now, or a millisecond after `old` if the clock has not got so far.
    fileprivate func later(than old: AttributeValue?) -> Double {
        guard case .date(let seconds) = old else { return now }
        return max(now, seconds + 0.001)
    }
}
