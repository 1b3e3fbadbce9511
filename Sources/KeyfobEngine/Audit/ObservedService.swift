// SPDX-License-Identifier: Apache-2.0
internal import KeyfobModel
internal import KeyfobVault

/// A caller's keychain whose every operation is told to an observer before it is answered.
final class ObservedService: ProgressingService {
    private let service: CallerService
    private let core: KeychainCore
    private let caller: Caller
    private let observer: any AccessObserver

    init(_ service: CallerService, core: KeychainCore, caller: Caller, observer: any AccessObserver) {
        self.service = service
        self.core = core
        self.caller = caller
        self.observer = observer
    }

    func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult {
        let event = event(.add, request.itemClass, request.attributes)
        let group = request.accessGroup
        return try observe(event, group, request.isSynchronizable) { (trace) throws(KeychainError) in
            try service.add(request, trace)
        }
    }

    func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult {
        try copyMatching(request) { _, _ in }
    }

    func copyMatching(
        _ request: MatchRequest, progress: (Int, Int) -> Void
    ) throws(KeychainError) -> MatchResult {
        let action = request.returns.contains(.data) ? AuditAction.read : .find
        return try observe(action, request.query) { (trace) throws(KeychainError) in
            try service.copyMatching(request, trace, progress: progress)
        }
    }

    func update(_ request: consuming UpdateRequest) throws(KeychainError) {
        try observe(.update, request.query) { (trace) throws(KeychainError) in try service.update(request, trace) }
    }

    func delete(_ request: DeleteRequest) throws(KeychainError) {
        try observe(.delete, request.query) { (trace) throws(KeychainError) in try service.delete(request, trace) }
    }

    func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool {
        try service.isEntitled(to: group, forWriting: forWriting)
    }

    func promptSettings() throws(KeychainError) -> PromptSettings { try service.promptSettings() }

    // MARK: - Private

    private func observe<R: ~Copyable>(
        _ action: AuditAction, _ query: ItemQuery, _ body: (AccessTrace) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        var event = event(action, query.itemClass, query.attributes)
        // A reference names its item, found or not.
        if let reference = query.persistentReference { event.items = [reference.uuid] }
        return try observe(event, query.accessGroup, query.synchronizable == .synchronizableOnly, body)
    }

    private func observe<R: ~Copyable>(
        _ event: AccessEvent, _ group: AccessGroup?, _ isSynchronizable: Bool,
        _ body: (AccessTrace) throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try observer.willAccess()
        var event = event
        let trace = AccessTrace()
        let start = AuditTime.monotonic()
        let result: R
        do throws(KeychainError) {
            result = try body(trace)
        } catch {
            event.result = error.code
            complete(&event, trace, group, isSynchronizable, since: start)
            try observer.didAccess(event)
            throw error
        }
        complete(&event, trace, group, isSynchronizable, since: start)
        // If this throws, the answer goes with it, and its values are wiped.
        try observer.didAccess(event)
        return result
    }

    private func complete(
        _ event: inout AccessEvent, _ trace: AccessTrace, _ group: AccessGroup?, _ isSynchronizable: Bool,
        since start: Int64
    ) {
        event.microseconds = AuditTime.monotonic() - start
        if let group, let itemClass = event.itemClass, trace.scopes.isEmpty {
            let name = ScopeName(itemClass: itemClass, group: group, isSynchronizable: isSynchronizable)
            // While the index is locked there is no digest to name the group by, and the event goes without.
            if let scope = try? core.directory.scope(name, .audit) { trace.name(scope.digest) }
        }
        event.scopes = trace.scopes
        if trace.itemCount > 0 { event.items = trace.items }
        event.itemCount = trace.itemCount
        event.givesValue = trace.givesValue
    }

    private func event(_ action: AuditAction, _ itemClass: ItemClass, _ attributes: AttributeSet) -> AccessEvent {
        var event = AccessEvent(action, caller: caller, itemClass: itemClass)
        let name = itemClass.auditedName
        // While the index is locked nothing was found by name, and there are no digests to name it by.
        guard let index = core.vault.indexIfOpen else { return event }
        if let value = attributes[name] { event.nameDigest = index.audit(itemClass, name, value) }
        if let value = attributes[.account] { event.accountDigest = index.audit(itemClass, .account, value) }
        return event
    }
}

extension ItemClass {
    /// The attribute that people know an item by, besides its account.
    var auditedName: AttributeName { self == .internetPassword ? .server : .service }
}
