// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
package import KeyfobModel
package import KeyfobPKCS11
internal import Synchronization

/// The key hierarchy of one keychain on its token, and the sealing of items under it.
///
/// ```
///   token:    class key ── seals ──> item key ── seals ──> value
///                 └────── seals ──> metadata key ── seals ──> attributes        (opened into locked memory)
///             dk class key ─────────> index key ── HMAC ──> search digests      (opened into locked memory)
/// ```
/// Knows no SQL and no policy. Every member may be called from any thread and blocks for its token calls. No lock is
/// held across a token call, but for `transitions`, which makes unlock and lock wait for one another, and `making`.
package final class Vault: Sendable {
    struct State {
        /// What the store has of the class keys.
        var records: [ClassKeyID: KeyRecord]
        var machine = LockMachine()
        /// Whether the token would not log out: until it does it takes any PIN for the user's.
        var owesLogout = false
        /// Why there is no token, while there is none.
        var absence: KeychainError?
        /// When it is looked for again.
        var search = SearchPlan()
        /// Class keys at work, made when first used (those of `afterFirstUnlock`: at the first unlock).
        var classKeys: [ClassKeyID: ClassKey] = [:]
        var metadataKeys: [ClassKeyID: MetadataKey] = [:]
        /// The digests by which items are found, once their key is open.
        var index: ItemIndex?
        /// Item keys that were opened before; nil: none is kept.
        var itemKeys: ItemKeyCache?
        /// Why and when it was unlocked no longer, the last time.
        var lastLock: LastLock?
        /// What ended a login since somebody last asked, other than a lock.
        var loss: LockReason?

        var lock: LockState { machine.state }
        /// Counts the beginnings and the ends of times in which the token is made to forget.
        var forgettings = 0
        /// Whether it is made to forget now: what fails meanwhile says nothing about it.
        var isForgetting: Bool { forgettings % 2 == 1 }
        /// Counts the changes of the lock, and the times that the token was made to forget: a key made before one is not
        /// kept.
        var epoch: Int { machine.epoch + forgettings }
    }

    /// The keychain that the keys belong to.
    package let keychain: ItemUUID
    package let token: Token
    /// The key of the search digests, sealed, and the `dk` class key that it is under.
    let sealedIndexKey: [UInt8]
    let indexClassKey: ClassKeyID
    /// Class keys of a `dk` class that the host holds: they work from the first unlock only.
    let lateKeys: Set<ClassKeyID>

    /// The key that asks for the PIN at each use, if there is one.
    let presence: PresenceKeeper
    let state: Mutex<State>
    /// Held while the token's login changes, so across token calls; guards no data.
    let transitions = Mutex(())
    /// Held while a class key is made or taken away, so across token calls; guards no data.
    ///
    /// SoftHSM shows a copy that is being made to searches as if it were the original, so a search must not meet one.
    /// Taken after `transitions`.
    let making = Mutex(())
    /// Whether a key was used that a lock takes away, since somebody asked.
    let wasUsed = Atomic(false)
    /// Whether opened item keys are kept for some time.
    let keepsItemKeys: Bool
    /// The clock of their age, in nanoseconds.
    let itemKeyClock: @Sendable () -> UInt64

    /// The vault of an existing keychain, before first unlock.
    ///
    /// Opens the index key on the token (one call), unless it is the host that holds its class key: then the first unlock
    /// does.
    ///
    /// - Parameter itemKeys: how opened item keys are kept; nil: none is.
    /// - Throws: `.notAvailable` if the `dk` class key is not on the token (another token, or keys deleted),
    ///   `.storeDamaged` if the sealed index key was changed, `.tokenFailed`.
    package init(
        keychain: ItemUUID, token: Token, records: [KeyRecord], presence: PresenceRecord? = nil,
        sealedIndexKey: [UInt8], itemKeys: ItemKeyKeeping? = nil
    ) throws(KeychainError) {
        self.keychain = keychain
        self.token = token
        self.presence = PresenceKeeper(presence)
        keepsItemKeys = itemKeys != nil
        // Nobody asks it for the time where no keys are kept.
        if let itemKeys { itemKeyClock = itemKeys.clock } else { itemKeyClock = { 0 } }
        var made = State(records: Dictionary(records.map { ($0.id, $0) }) { first, _ in first })
        made.itemKeys = itemKeys.map { ItemKeyCache($0.limit) }
        state = Mutex(made)
        guard let always = KeyEnvelope.classKey(of: sealedIndexKey), always.accessibility == .always else {
            throw KeychainError(
                .storeDamaged, .open, cause: .format(place: "index key", fault: "is no sealed key of this version"),
                remedy: .restoreFromBackup)
        }
        self.sealedIndexKey = sealedIndexKey
        indexClassKey = always
        lateKeys = Set(records.filter { $0.availability != $0.id.accessibility.availability }.map(\.id))
        if availability(of: always) == .always { _ = try index(.open) }
    }

    /// Where the keychain stands.
    package var lockState: LockState { state.withLock { $0.lock } }

    /// What the store has of the class keys.
    var records: [ClassKeyID: KeyRecord] { state.withLock { $0.records } }

    /// Whether items under the class key can be read and written now.
    package func allows(_ key: ClassKeyID) -> Bool { lockState.allows(availability(of: key)) }

    /// When the class key works.
    func availability(of key: ClassKeyID) -> Accessibility.Availability {
        let promised = key.accessibility.availability
        return promised == .always && lateKeys.contains(key) ? .afterFirstUnlock : promised
    }

    /// Why and when it was locked last; nil: it was not yet.
    package var lastLock: LastLock? { state.withLock { $0.lastLock } }

    /// Whether a key that a lock takes away was used since the last call, or an unlock came; asked by one thread.
    package func takeUse() -> Bool { wasUsed.exchange(false, ordering: .relaxed) }

    /// Notes that a key was used; a store at most, and none while nobody has asked since the last one.
    func noteUse(of availability: Accessibility.Availability) {
        guard availability == .whileUnlocked, !wasUsed.load(ordering: .relaxed) else { return }
        wasUsed.store(true, ordering: .relaxed)
    }

    /// Counts unlocks and locks.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Whether a key was out of reach at some moment since `epoch` was read.
    func wasLocked(_ key: ClassKeyID, since epoch: Int) -> Bool {
        let (lock, now) = state.withLock { ($0.lock, $0.epoch) }
        let availability = availability(of: key)
        return !lock.allows(availability) || (availability == .whileUnlocked && now != epoch)
    }

    /// The key that new items of a class are sealed under: the newest generation.
    ///
    /// - Throws: `.notAvailable` if the keychain has no key of the class.
    package func currentKey(
        for accessibility: Accessibility, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> ClassKeyID {
        let generations = records.keys.lazy.filter { $0.accessibility == accessibility }
        guard let newest = generations.max(by: { $0.generation < $1.generation }) else {
            // The passcode class is made anew at the next unlock.
            let remedy: KeychainError.Remedy =
                accessibility == .whenPasscodeSetThisDeviceOnly ? .unlock : .provision
            throw KeychainError(.notAvailable, operation, subject: .classKey(accessibility), remedy: remedy)
        }
        return newest
    }

    /// Throws unless items under the key can be read and written now.
    ///
    /// - Throws: `.interactionNotAllowed` if the class is locked, `.notAvailable` if there is no token; `.notAvailable` for
    ///   the passcode class if the token has no user PIN.
    package func requireUsable(_ key: ClassKeyID, _ operation: KeychainError.Operation) throws(KeychainError) {
        guard !allows(key) else { return }
        guard absence == nil, isGone(key) else { throw outOfReach(key, operation) }
        throw KeychainError(
            .notAvailable, operation, subject: .classKey(key.accessibility),
            cause: .format(place: "token", fault: "has no user PIN"), remedy: .unblockWithSO)
    }

    /// The error for a key that the present state does not allow.
    func outOfReach(_ key: ClassKeyID, _ operation: KeychainError.Operation) -> KeychainError {
        if let absence { return outOfReach(absence, operation) }
        return KeychainError(.interactionNotAllowed, operation, subject: .classKey(key.accessibility), remedy: .unlock)
    }

    /// The error for everything that needs the token while it is gone.
    func outOfReach(_ absence: KeychainError, _ operation: KeychainError.Operation) -> KeychainError {
        KeychainError(
            .notAvailable, operation, subject: .token(token.identity), cause: absence.cause, remedy: .insertToken)
    }
}
