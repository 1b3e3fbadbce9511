// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCLI
internal import KeyfobMemory
internal import KeyfobModel
internal import Synchronization

/// The keychain of a `FakeAccess`: locked at first, its PIN is 123456.
final class FakeKeychain: OpenKeychain, KeychainService {
    struct Item: Sendable {
        var itemClass: ItemClass
        var attributes: AttributeSet
        var group: AccessGroup
        var isSynchronizable: Bool
        var accessibility: Accessibility
        var value: [UInt8]?
        var reference: PersistentReference
        var accessControl: AccessControl?
    }

    /// A call that set a PIN.
    struct PINChange: Hashable, Sendable {
        /// The PIN that proves the right to do so, and the new one.
        let pins: [String]
        /// How many items may go.
        let items: Int?
        let finalTry: Bool

        init(_ pins: [String], items: Int? = nil, finalTry: Bool) {
            self.pins = pins
            self.items = items
            self.finalTry = finalTry
        }
    }

    struct State: Sendable {
        var pinChanges: [PINChange] = []
        var passcodeKeys: [KeychainStatus.Key] = []
        var items: [Item] = []
        var isUnlocked = false
        var lastLock: LastLock?
        /// Why there is no token.
        var absence: KeychainError?
        var lacksUserPIN = false
        var triesLeft = KeychainError.TriesLeft.unknown
        var triggers: LockTriggers?
        var logins = 0
        var deviceLogins = 0
        var hasPINPad = false
        var isModuleIsolated = false
        var itemKeyCache: ItemKeyCacheStatus?
        var finalTries = 0
        var count: UInt8 = 0
        var staysUnlocked = false
        var daemon: DaemonStatus?
        var metrics: String?
        var configuredPINSource: String?
        var report = VerificationReport(verified: 0)
        var auditLog: [AuditRecord] = []
        var auditQueries: [AuditQuery] = []
        var auditVerification = AuditVerification()
        var closes = 0
        /// Every value is damaged, as a real keychain answers then: not found.
        var hidesValues = false
        var unlockError: KeychainError?
        /// What an item that needs a person takes for the PIN.
        var itemPIN = "123456"
        var process = ProcessStatus(
            pid: 71, uid: 1000, version: Version.current, isDumpable: false, coreLimit: 0, lockedBytes: 65536,
            unlockedBytes: 0, lockedMemoryLimit: 8 << 20, requiresLockedMemory: false, umask: 0o077,
            hasNoNewPrivileges: true, printsBacktraces: false)
        /// Is thrown by the next call to the service.
        var nextError: KeychainError?

        var lockState: LockState {
            if absence != nil { return .noToken }
            if isUnlocked { return .unlocked }
            return lastLock == nil ? .beforeFirstUnlock : .locked
        }
    }

    let state = Mutex(State())

    var service: any KeychainService { self }
    var configuredPINSource: String? { state.withLock { $0.configuredPINSource } }
    var isUnlocked: Bool { state.withLock { $0.isUnlocked } }
    var staysUnlocked: Bool { state.withLock { $0.staysUnlocked } }

    let token = TokenIdentity(label: "work", manufacturer: "Acme", model: "Vault 2", serial: "8F3A")
    let configuredPinentry: String? = nil

    func hasPINPad() throws(KeychainError) -> Bool { state.withLock { $0.hasPINPad } }

    func unlockOnDevice(finalTry: Bool) throws(KeychainError) {
        let error = state.withLock { state -> KeychainError? in
            state.deviceLogins += 1
            state.isUnlocked = state.unlockError == nil
            return state.unlockError
        }
        if let error { throw error }
    }

    func unlock(_ pin: borrowing SecretBytes, finalTry: Bool) throws(KeychainError) {
        let isRight = pin.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) == Array("123456".utf8) } }
        let error = state.withLock { state -> KeychainError? in
            state.logins += 1
            if finalTry { state.finalTries += 1 }
            if let error = state.unlockError { return error }
            state.isUnlocked = isRight
            guard !isRight else { return nil }
            return KeychainError(
                .pinIncorrect, .unlock, subject: .token(token),
                cause: .pkcs11(function: "C_Login", returnValue: 0xA0), remedy: .enterCorrectPIN(triesLeft: .few))
        }
        if let error { throw error }
    }

    func daemonStatus() throws(KeychainError) -> DaemonStatus? { state.withLock { $0.daemon } }

    func metrics() throws(KeychainError) -> String? { state.withLock { $0.metrics } }

    func close() { state.withLock { $0.closes += 1 } }

    func lock() throws(KeychainError) { state.withLock { $0.isUnlocked = false } }

    func status() throws(KeychainError) -> KeychainStatus {
        guard let uuid = ItemUUID([UInt8](repeating: 0, count: 15) + [1]) else {
            preconditionFailure("sixteen bytes are a UUID")
        }
        return state.withLock { state in
            var status = KeychainStatus(
                home: "/home/ada/.local/share/keyfob", keychain: uuid,
                lockState: state.lockState,
                token: token,
                tokenURI: "pkcs11:token=work", absence: state.absence, triesLeft: state.triesLeft,
                isSoftwareToken: false, pinSource: nil,
                pinentry: nil,
                keys: [
                    .init(
                        id: ClassKeyID(.whenUnlocked, generation: 1), suite: .aesGCM, residence: .tokenPrivate,
                        isUsable: state.isUnlocked, items: state.items.count, seals: 7, needsRotation: false)
                ] + state.passcodeKeys, items: state.items.count, process: state.process,
                lastLock: state.lastLock, triggers: state.triggers, lacksUserPIN: state.lacksUserPIN)
            status.isModuleIsolated = state.isModuleIsolated
            status.itemKeyCache = state.itemKeyCache
            return status
        }
    }

    func changePINOnDevice(finalTry: Bool) throws(KeychainError) {
        try perform { state throws(KeychainError) in state.pinChanges.append(.init([], finalTry: finalTry)) }
    }

    func unblockOnDevice(destroying items: Int, finalTry: Bool) throws(KeychainError) {
        try perform { state throws(KeychainError) in
            state.pinChanges.append(.init([], items: items, finalTry: finalTry))
        }
    }

    func changePIN(
        from old: borrowing SecretBytes, to new: borrowing SecretBytes, finalTry: Bool
    ) throws(KeychainError) {
        let pins = [Self.text(old), Self.text(new)]
        try perform { state throws(KeychainError) in state.pinChanges.append(.init(pins, finalTry: finalTry)) }
    }

    func unblock(
        _ new: borrowing SecretBytes, securityOfficerPIN: borrowing SecretBytes, destroying items: Int, finalTry: Bool
    ) throws(KeychainError) {
        let pins = [Self.text(securityOfficerPIN), Self.text(new)]
        try perform { state throws(KeychainError) in
            state.pinChanges.append(.init(pins, items: items, finalTry: finalTry))
        }
    }

    private static func text(_ pin: borrowing SecretBytes) -> String {
        pin.withBytes { unsafe $0.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
    }

    func accessGroups() throws(KeychainError) -> [AccessGroupUse] {
        state.withLock { state in
            Dictionary(grouping: state.items, by: \.group).map { AccessGroupUse(group: $0.key, items: $0.value.count) }
                .sorted { $0.group.name < $1.group.name }
        }
    }

    func moveAccessGroup(_ old: AccessGroup, to new: AccessGroup) throws(KeychainError) -> Int {
        let moved = state.withLock { state in
            let indices = state.items.indices.filter { state.items[$0].group == old }
            for index in indices { state.items[index].group = new }
            return indices.count
        }
        guard moved > 0 else { throw KeychainError(.itemNotFound, .update, subject: .accessGroup(old)) }
        return moved
    }

    func verify(_ progress: (Int, Int) -> Void) throws(KeychainError) -> VerificationReport {
        progress(1, 1)
        return state.withLock { $0.report }
    }

    func audit(_ query: AuditQuery) throws(KeychainError) -> [AuditRecord] {
        state.withLock { state in
            state.auditQueries.append(query)
            return Array(state.auditLog.filter { $0.sequence > query.after }.prefix(query.limit))
        }
    }

    func verifyAudit(_ progress: (Int, Int) -> Void) throws(KeychainError) -> AuditVerification {
        progress(1, 1)
        return state.withLock { $0.auditVerification }
    }

    // MARK: - Items

    func add(_ request: consuming AddRequest) throws(KeychainError) -> MatchResult {
        let bytes = Self.bytes(request.value.take())
        let accessibility = request.accessibility ?? .whenUnlocked
        let item = Item(
            itemClass: request.itemClass, attributes: request.attributes,
            group: request.accessGroup ?? AccessGroup("ada"), isSynchronizable: request.isSynchronizable,
            accessibility: accessibility, value: bytes, reference: Self.reference(request.itemClass, 0),
            accessControl: request.accessControl)
        let credentials = request.credentials
        try perform { state throws(KeychainError) in
            try Self.check(accessibility, state, .add)
            let taken = state.items.first { other in
                other.itemClass == item.itemClass && other.group == item.group
                    && other.isSynchronizable == item.isSynchronizable
                    && Self.key(other).elementsEqual(Self.key(item), by: ==)
            }
            if let taken {
                try Self.admit(credentials, to: taken, state, .add)
                throw KeychainError(.duplicateItem, .add)
            }
            state.count += 1
            var added = item
            added.reference = Self.reference(item.itemClass, state.count)
            state.items.append(added)
        }
        return MatchResult(items: [])
    }

    func copyMatching(_ request: MatchRequest) throws(KeychainError) -> MatchResult {
        var leftOut = 0
        let found = try perform { state throws(KeychainError) in
            var found = state.items.filter { Self.fits($0, request.query) }
            if request.authenticationUI == .skip {
                let all = found.count
                found.removeAll { $0.accessControl?.isGuarded == true }
                leftOut = all - found.count
                if found.isEmpty, let words = MatchResult.words(leftOut: leftOut) {
                    throw KeychainError(
                        .itemNotFound, .copyMatching, cause: .format(place: MatchResult.leftOutPlace, fault: words))
                }
            }
            let isHidden = state.hidesValues && request.returns.contains(.data)
            guard !found.isEmpty, !isHidden else { throw KeychainError(.itemNotFound, .copyMatching) }
            for item in found {
                try Self.check(item.accessibility, state, .copyMatching)
                try Self.admit(request.credentials, to: item, state, .copyMatching)
            }
            return found
        }
        var values: [UInt8] = []
        var results: [ItemResult] = []
        for item in found {
            var result = ItemResult(itemClass: item.itemClass, persistentReference: item.reference)
            result.attributes = Self.attributes(item)
            if request.returns.contains(.data), let value = item.value {
                result.value = values.count..<(values.count + value.count)
                values += value
            }
            results.append(result)
        }
        do throws(SecretMemoryError) {
            return MatchResult(items: results, values: try SecretBytes(copying: values), leftOut: leftOut)
        } catch { throw KeychainError(error, .copyMatching) }
    }

    func update(_ request: consuming UpdateRequest) throws(KeychainError) {
        let bytes = Self.bytes(request.value.take())
        let (query, changes, accessibility) = (request.query, request.changes, request.accessibility)
        let credentials = request.credentials
        try perform { state throws(KeychainError) in
            guard let index = state.items.firstIndex(where: { Self.fits($0, query) }) else {
                throw KeychainError(.itemNotFound, .update)
            }
            try Self.check(state.items[index].accessibility, state, .update)
            try Self.admit(credentials, to: state.items[index], state, .update)
            if let bytes { state.items[index].value = bytes }
            if let accessibility { state.items[index].accessibility = accessibility }
            for (name, value) in changes { state.items[index].attributes[name] = value }
        }
    }

    func delete(_ request: DeleteRequest) throws(KeychainError) {
        try perform { state throws(KeychainError) in
            let count = state.items.count
            state.items.removeAll { Self.fits($0, request.query) }
            guard state.items.count < count else { throw KeychainError(.itemNotFound, .delete) }
        }
    }

    func isEntitled(to group: AccessGroup, forWriting: Bool) throws(KeychainError) -> Bool { true }

    // MARK: - Parts

    private func perform<R>(_ body: (inout State) throws(KeychainError) -> R) throws(KeychainError) -> R {
        try state.withLock { (state) throws(KeychainError) in
            if let error = state.nextError {
                state.nextError = nil
                throw error
            }
            return try body(&state)
        }
    }

    private static func check(
        _ accessibility: Accessibility, _ state: State, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        guard state.isUnlocked || accessibility.availability == .always else {
            throw KeychainError(.interactionNotAllowed, operation, remedy: .unlock)
        }
    }

    /// Asks for what the item needs, in the order of the engine.
    private static func admit(
        _ credentials: Credentials?, to item: Item, _ state: State, _ operation: KeychainError.Operation
    ) throws(KeychainError) {
        guard let control = item.accessControl, control.isGuarded else { return }
        let needsPIN = control.names(.userPresence) || control.names(.devicePasscode)
        if control.names(.applicationPassword), credentials?.has(.applicationPassword) != true {
            throw KeychainError(.applicationPasswordRequired, operation, subject: .item(item.reference))
        }
        guard needsPIN else { return }
        guard let credentials, credentials.has(.pin) else {
            throw KeychainError(.presenceRequired, operation, subject: .item(item.reference))
        }
        let given: [UInt8] =
            switch credentials.pin {
            case .some(let pin): pin.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
            case .none: []
            }
        guard given == Array(state.itemPIN.utf8) else { throw KeychainError(.pinIncorrect, operation) }
    }

    private static func fits(_ item: Item, _ query: ItemQuery) -> Bool {
        if let reference = query.persistentReference, item.reference != reference { return false }
        if let group = query.accessGroup, item.group != group { return false }
        if let accessibility = query.accessibility, item.accessibility != accessibility { return false }
        if query.synchronizable != .any, item.isSynchronizable != (query.synchronizable == .synchronizableOnly) {
            return false
        }
        return item.itemClass == query.itemClass
            && query.attributes.allSatisfy { item.attributes[$0.name] == $0.value }
            && query.textFilters.allSatisfy { $0.passes(item.attributes) }
    }

    private static func key(_ item: Item) -> [AttributeValue?] {
        [.account, .service, .server, .port, .protocol, .path].map { item.attributes[$0] }
    }

    private static func attributes(_ item: Item) -> AttributeSet {
        var attributes = item.attributes
        attributes[.accessGroup] = .text(item.group.utf8)
        attributes[.synchronizable] = .number(item.isSynchronizable ? 1 : 0)
        attributes[.accessible] = .text(item.accessibility.code)
        attributes[.creationDate] = .date(0)
        attributes[.modificationDate] = .date(86400.5)
        return attributes
    }

    private static func reference(_ itemClass: ItemClass, _ number: UInt8) -> PersistentReference {
        guard let uuid = ItemUUID([UInt8](repeating: 0, count: 15) + [number]) else {
            preconditionFailure("sixteen bytes are a UUID")
        }
        return PersistentReference(itemClass: itemClass, uuid: uuid)
    }

    private static func bytes(_ secret: consuming SecretBytes?) -> [UInt8]? {
        guard let secret else { return nil }
        return secret.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
    }
}
