// SPDX-License-Identifier: Apache-2.0
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11
internal import KeyfobPlatform
internal import KeyfobStore
internal import KeyfobVault
internal import Synchronization

/// An open keychain: the one implementation of the service, in a program or in the daemon.
///
/// Holds the keychain's owner lock from `open` to `close`. Every member may be called from any thread; those that go to
/// the token or the disk block.
package final class KeychainEngine: Sendable {
    package let home: KeychainHome
    package let configuration: KeychainConfiguration
    let core: KeychainCore
    let keychain: KeychainRecord
    private let policies: PolicyBoard
    /// The audit log, if accesses are recorded.
    let auditLog: AuditLog?
    private let owner: Mutex<OwnerLock?>
    let isClosed = Atomic(false)
    let presence = Mutex(TokenPresence())
    /// Wipes item keys that were kept long enough.
    private let itemKeyWiper: ItemKeyWiper?

    /// Opens an existing keychain, before first unlock.
    ///
    /// - Parameters:
    ///   - patience: how long to wait for another process that has the keychain open, in seconds.
    ///   - policies: the folders with the access policies; nil: the keychain's own (`KeychainHome.policyFolders`).
    ///   - lockedMemory: what happens when secret memory cannot be locked, if the configuration does not say.
    ///   - audit: whether accesses are recorded if the configuration does not say.
    /// - Throws: `.keychainNotFound`, `.keychainInUse`, `.permissions`, `.configurationInvalid`, `.tokenNotFound`,
    ///   `.tokenAmbiguous`, `.wrongToken`, `.moduleNotLoadable`, `.notAvailable` (class key gone), the store's faults.
    package static func open(
        _ home: KeychainHome, patience: Double = 0, lockedMemory: KeychainConfiguration.LockedMemory = .prefer,
        policies: [String]? = nil, audit: AuditPlan = AuditPlan()
    ) throws(KeychainError) -> KeychainEngine {
        guard try home.holdsKeychain() else {
            throw KeychainError(.keychainNotFound, .open, subject: .path(home.path), remedy: .createKeychain)
        }
        try PrivateFolder.verify(home.path)
        let configuration = try KeychainConfiguration.read(home.configuration)
        SecretArena.shared.setPolicy((configuration.lockedMemory ?? lockedMemory) == .require ? .require : .prefer)
        let lock = try OwnerLock.acquire(home.ownerLock, patience: patience)
        return try KeychainEngine(home, configuration, lock, audit, policies: policies)
    }

    init(
        _ home: KeychainHome, _ configuration: KeychainConfiguration, _ lock: consuming OwnerLock,
        _ audit: AuditPlan = AuditPlan(),
        policies folders: [String]? = nil
    ) throws(KeychainError) {
        if configuration.isSoftwareToken { try SoftwareToken(home).prepare() }
        policies = try PolicyBoard(folders: folders ?? home.policyFolders)
        let store = try ItemStore.open(home.database)
        keychain = try store.keychain()
        guard let uuid = ItemUUID(keychain.uuid) else {
            throw KeychainError(.storeDamaged, .open, subject: .path(home.database), remedy: .restoreFromBackup)
        }
        let uri: TokenURI
        do { uri = try TokenURI(configuration.token) } catch { throw KeychainError(error, .open) }
        let token = try Self.token(uri, configuration, keychain)
        if configuration.hasFiveFieldGCM { token.setGCMVariant(.withoutIVBits) }
        let records = try store.classKeys()
        let vault = try Vault(
            keychain: uuid, token: token, records: records.compactMap { KeyRecord($0) },
            presence: .newest(of: records) ?? (configuration.makesPresenceKey ? nil : .unwanted),
            sealedIndexKey: keychain.indexKey,
            itemKeys: configuration.itemKeyCache.map { limit in
                ItemKeyKeeping(limit) { Moment.nowAsleepToo.nanoseconds }
            })
        itemKeyWiper = try configuration.itemKeyCache.map { (_) throws(KeychainError) in try ItemKeyWiper(vault) }
        core = KeychainCore(
            vault: vault, store: store, directory: try ScopeDirectory(vault: vault, store: store),
            seals: SealCounters(reserved: Self.seals(records)), opening: ValueOpening(vault))
        auditLog = try Self.openAudit(home, configuration, audit, core)
        self.home = home
        self.configuration = configuration
        configuredPINSource = (configuration.pinSource ?? uri.pinSource).map { text in
            // A text that names no source is told when the PIN is asked for; what needs no PIN goes on.
            (try? PINSource(text, relativeTo: home.path))?.text ?? text
        }
        owner = Mutex(lock)
        try record(AccessEvent(.start))
    }

    /// The token that the keychain was made with; asks nobody.
    package var token: TokenIdentity { keychain.token }

    /// The keychain for one caller; its entitlements come from the policy files.
    ///
    /// A later `reloadPolicies` does not reach a service that was made before: compare `policyGeneration`.
    package func service(for caller: Caller) -> any ProgressingService {
        service(with: policies.current.entitlements(of: caller), for: caller)
    }

    /// Counts the times that the policies were read, from 1.
    package var policyGeneration: Int { policies.generation }

    /// Reads the access policies again; if a file is wrong, what held before goes on.
    ///
    /// - Throws: as `AccessPolicy.read(folders:)`.
    package func reloadPolicies() throws(KeychainError) {
        try policies.reload()
        Log.shared.notice("keychain \(home.path): access policies read again")
    }

    /// Names the socket of the daemon that serves this keychain in the lock file, so that commands for the folder find it.
    ///
    /// - Throws: `.diskFull`, `.readOnly`, `.inputOutput`.
    package func announce(socket: String) throws(KeychainError) {
        try owner.withLock { (lock) throws(KeychainError) in try lock?.announce(home.ownerLock, socket: socket) }
    }

    /// The keychain for a caller whose entitlements are known otherwise: a program that embeds the engine is its own.
    package func service(with entitlements: Entitlements) -> any ProgressingService {
        auditLog == nil ? unobservedService(with: entitlements) : service(with: entitlements, for: .current())
    }

    private func service(with entitlements: Entitlements, for caller: Caller) -> any ProgressingService {
        let service = CallerService(core: core, entitlements: entitlements, pinentry: configuration.pinentry)
        guard let auditLog else { return service }
        return ObservedService(service, core: core, caller: caller, observer: auditLog)
    }

    /// The keychain for the engine's own work, which is recorded as a whole.
    func unobservedService(with entitlements: Entitlements) -> any ProgressingService {
        CallerService(core: core, entitlements: entitlements)
    }

    /// Where the keychain stands.
    package var lockState: LockState { core.vault.lockState }

    /// The token's label.
    package var tokenLabel: String { core.vault.token.identity.label }

    /// Calls made on the token since the keychain was opened, by the name of the Cryptoki function, for gates and tests.
    package var tokenCalls: [String: Int] { core.vault.token.calls.snapshot() }

    /// How long the calls on the token took since the keychain was opened.
    package var tokenDurations: DurationHistogram.Snapshot { core.vault.token.calls.durations.snapshot }

    /// Token sessions that are open for reading.
    package var tokenSessions: Int { core.vault.token.sessionCount }

    /// SQL statements begun since the keychain was opened, for gates and tests.
    package var statementCount: Int { core.store.statementCount }

    /// What `config.json`, else the token's URI, says about where the PIN comes from; a relative path counts from the
    /// keychain's folder.
    package let configuredPINSource: String?

    /// Logs in to the token with the PIN, which reaches it exactly once.
    ///
    /// - Parameters:
    ///   - isBrief: for a login that serves one operation (`Vault.unlock`).
    ///   - caller: who asked, for the audit log; nil: this process.
    /// - Throws: as `Vault.unlock`; `.notAvailable` after `close`, as the token is another process's to log in to then.
    package func unlock(
        _ pin: borrowing SecretBytes, finalTry: Bool = false, isBrief: Bool = false, by caller: Caller? = nil
    ) throws(KeychainError) {
        try recording(.unlock, by: caller) { () throws(KeychainError) in
            try logIn(pin, finalTry: finalTry, isBrief: isBrief)
        }
    }

    /// Logs in to the token with the PIN that a person enters on the device; blocks until that is done.
    ///
    /// - Throws: as `Vault.unlockOnDevice`, and as `unlock`.
    package func unlockOnDevice(
        finalTry: Bool = false, isBrief: Bool = false, by caller: Caller? = nil
    ) throws(KeychainError) {
        try recording(.unlock, by: caller) { () throws(KeychainError) in
            try logInOnDevice(finalTry: finalTry, isBrief: isBrief)
        }
    }

    func logInOnDevice(finalTry: Bool, isBrief: Bool) throws(KeychainError) {
        _ = try logIn { () throws(KeychainError) in
            try core.vault.unlockOnDevice(finalTry: finalTry, isBrief: isBrief)
        }
    }

    /// Whether a PIN can be entered on the device; asks the token.
    package func hasPINPad() throws(KeychainError) -> Bool { try core.vault.hasPinPad(.unlock) }

    func logIn(
        _ pin: borrowing SecretBytes, finalTry: Bool, isBrief: Bool
    ) throws(KeychainError) {
        let wasTaken = try logIn { () throws(KeychainError) in
            try core.vault.unlock(pin, finalTry: finalTry, isBrief: isBrief)
        }
        // A PIN that nobody has checked must not be what the presence key is tried with.
        if wasTaken { providePresenceKey(pin) }
    }

    /// - Returns: whether there was a login; false: the keychain was unlocked already.
    private func logIn(_ login: () throws(KeychainError) -> Bool) throws(KeychainError) -> Bool {
        try refuseClosed()
        let wasTaken = try login()
        do throws(KeychainError) {
            try refuseClosed()
        } catch {
            // Closed while the token was logging in.
            try core.vault.end(LastLock(.daemonEnd, time: WallClock.now()))
            throw error
        }
        renewPasscodeKeyIfDestroyed()
        if wasTaken { Log.shared.notice("keychain \(home.path) unlocked") }
        return wasTaken
    }

    /// Logs out of the token and wipes what hung on the login.
    ///
    /// - Parameters:
    ///   - reason: why; `lastLock` and the audit log name it.
    ///   - caller: who asked, for the audit log; nil: this process.
    /// - Throws: as `Vault.lock`.
    package func lock(_ reason: LockReason = .explicit, by caller: Caller? = nil) throws(KeychainError) {
        // What happens by itself to a keychain that is not unlocked is worth no line.
        guard reason == .explicit || reason == .signal || lockState == .unlocked else { return }
        try recording(.lock, by: caller, because: reason) { () throws(KeychainError) in
            _ = try core.vault.lock(LastLock(reason, time: WallClock.now()))
        }
        Log.shared.notice("keychain \(home.path) locked\(reason == .explicit ? "" : " (\(reason.word))")")
    }

    /// Why and when the keychain was locked last since it was opened; nil: it was not.
    package var lastLock: LastLock? { core.vault.lastLock }

    /// Whether anything was done since the last call that a lock would have refused, an unlock included; for the one thread
    /// that looks how long nobody has used the keychain.
    ///
    /// Asks the token nothing.
    package func takeUse() -> Bool { core.vault.takeUse() }

    /// Ends the login, closes the store and gives up the owner lock; the engine is of no more use.
    package func close() {
        guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        endAudit()
        do { try core.vault.end(LastLock(.daemonEnd, time: WallClock.now())) } catch {
            Log.shared.error("keychain \(home.path) did not log out: error \(error.code.rawValue) of docs/errors.md")
        }
        itemKeyWiper?.stop()
        core.store.close()
        owner.withLock { $0 = nil }
    }

    func refuseClosed() throws(KeychainError) {
        guard isClosed.load(ordering: .sequentiallyConsistent) else { return }
        throw KeychainError(
            .notAvailable, .unlock, subject: .path(home.path), cause: .format(place: "keychain", fault: "was closed"))
    }

    private static func token(
        _ uri: TokenURI, _ configuration: KeychainConfiguration, _ keychain: KeychainRecord
    ) throws(KeychainError) -> Token {
        let token: Token
        do {
            token = try Token.find(
                uri, parameters: configuration.moduleParameters, isolated: configuration.isolatesModule)
        } catch { throw KeychainError(error, .open) }
        guard token.identity == keychain.token else {
            throw KeychainError(
                .wrongToken, .open, subject: .token(token.identity),
                cause: .format(place: "keychain", fault: "was made with serial \(keychain.token.serial)"),
                remedy: .insertToken)
        }
        return token
    }

    private static func seals(_ records: [ClassKeyRecord]) -> [ClassKeyID: Int64] {
        var seals: [ClassKeyID: Int64] = [:]
        for record in records {
            guard let accessibility = Accessibility(rawValue: record.classKey) else { continue }
            seals[ClassKeyID(accessibility, generation: record.generation)] = record.seals
        }
        return seals
    }
}
