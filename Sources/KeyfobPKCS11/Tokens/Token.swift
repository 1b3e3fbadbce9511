// SPDX-License-Identifier: Apache-2.0
package import KeyfobModel
internal import Synchronization

/// A token: its login, its sessions and what it says about itself.
///
/// All members may be called from any thread and block for the time of their Cryptoki calls. No lock that guards data is
/// held during one: PINs wait for one another (`pinTurn`), and so do openings and closings of sessions (`SessionDoor`). A token keeps one read-only session open (the *keeper*), for closing the last session would log out.
package final class Token: Sendable {
    /// The module that the token was found in.
    package let module: Module
    /// The token's complete URI, module path included.
    package let uri: TokenURI
    package let identity: TokenIdentity
    /// The calls made on this token.
    package let calls: CallCounter
    let line: Line
    let place: TokenPlace
    let pool: SessionPool
    let keeper = Mutex<SessionBox?>(nil)
    let login = Mutex(LoginState.loggedOut)
    /// Held while a user PIN is on its way to the token, so across token calls; guards no data: what the token says of the
    /// tries that are left has to hold until the PIN gets there.
    let pinTurn = Mutex(())
    private let ownIVs = Atomic<Bool>(false)
    private let derPoints = Atomic<Bool>(false)
    private let widePairs = Atomic<Bool>(false)
    /// Whether its slot is known to be no device.
    private let isSoftware = Atomic<Bool>(false)
    /// Whether its slot was seen to be a reader.
    private let isRemovable = Atomic<Bool>(false)

    /// How many sessions the pool opens at most, if the token allows as many.
    package static let defaultPoolSize = 4

    /// How long a lease lasts before its call counts as hung.
    package static let defaultPatience = Duration.seconds(30)

    init(
        module: Module, slot: SlotID, info: TokenInfo, poolSize: Int = defaultPoolSize,
        patience: Duration = defaultPatience
    ) {
        self.module = module
        identity = info.identity
        uri = TokenURI.naming(info, modulePath: module.path)
        calls = CallCounter()
        let line = Line(module: module, token: info.identity, calls: calls)
        let place = TokenPlace(slot: slot)
        self.line = line
        self.place = place
        // Two sessions stay free for the keeper and for one that the caller keeps.
        let limit = info.maxSessionCount.map { max(1, min(poolSize, $0 - 2)) } ?? poolSize
        pool = SessionPool(limit: limit, patience: patience) { () throws(PKCS11Error) in
            try place.open(line, readWrite: false)
        }
    }

    /// The slot the token is in.
    package var slot: SlotID { place.slot }

    /// What the token says about itself now (`C_GetTokenInfo`).
    ///
    /// - Throws: `.replaced` if another token is in its slot.
    package func info() throws(PKCS11Error) -> TokenInfo {
        try place.info(line)
    }

    /// The mechanisms that the token lists; only doing proves.
    package func mechanisms() throws(PKCS11Error) -> [MechanismType] {
        try module.mechanisms(of: place.slot)
    }

    /// The shape of `CK_GCM_PARAMS` that sessions opened from now on use; six fields at first.
    package var gcmVariant: GCMVariant { place.gcm }

    /// Sets the shape of `CK_GCM_PARAMS`, and replaces the pool's sessions.
    package func setGCMVariant(_ variant: GCMVariant) {
        place.reads(variant)
        pool.drop()
    }

    /// Whether the token was found to take no IV of ours for AES-GCM and to draw its own; false at first.
    package var drawsIVs: Bool { ownIVs.load(ordering: .relaxed) }

    /// Remembers that the token draws its own IVs.
    package func noteDrawsIVs() {
        ownIVs.store(true, ordering: .relaxed)
    }

    /// Whether the token was found to want the peer's point of `CKM_ECDH1_DERIVE` in DER; false at first.
    package var wantsDERPoints: Bool { derPoints.load(ordering: .relaxed) }

    /// Remembers that the token wants points in DER.
    package func noteWantsDERPoints() {
        derPoints.store(true, ordering: .relaxed)
    }

    /// Whether the token was found to make RSA pairs from templates only that deny no use; false at first.
    package var makesWidePairs: Bool { widePairs.load(ordering: .relaxed) }

    /// Remembers that the token makes RSA pairs from templates only that deny no use.
    package func noteMakesWidePairs() {
        widePairs.store(true, ordering: .relaxed)
    }

    /// Asks whether the token is where it was and its sessions live: two calls, or one if nobody has logged in yet; for
    /// a device, and the first time, one more.
    ///
    /// - Throws: `.replaced` if another token is in its slot, `CKR_TOKEN_NOT_PRESENT`, what `C_GetSlotInfo`,
    ///   `C_GetTokenInfo` or `C_GetSessionInfo` returned.
    package func check() throws(PKCS11Error) {
        if !isSoftware.load(ordering: .relaxed) {
            // OpenSC tells of a token that it remembers, until it is asked for the slot.
            let description = try SlotDescription.ask(line, place.slot)
            isRemovable.store(description.isRemovable, ordering: .relaxed)
            guard description.isPresent else { throw line.error(.getSlotInfo, .tokenNotPresent) }
            isSoftware.store(!description.isHardware, ordering: .relaxed)
        }
        _ = try info()
        guard let box = keeper.withLock({ $0 }) else { return }
        _ = try Session(box, closes: false).isLoggedIn()
    }

    /// Asks the token itself for something (`C_GenerateRandom`): some modules answer `check` for a device that is gone.
    ///
    /// A token that has no random numbers to give is not asked for anything else. One in a reader is not asked, as the
    /// reader tells, and cards give random numbers only after a login.
    ///
    /// - Throws: what `C_OpenSession` or `C_GenerateRandom` returned.
    package func checkDevice() throws(PKCS11Error) {
        guard !isRemovable.load(ordering: .relaxed) else { return }
        do throws(PKCS11Error) {
            _ = try withSession { (session) throws(PKCS11Error) in try session.generateRandom(1) }
        } catch {
            guard error.function == CryptokiFunction.generateRandom.name, error.returnValue?.kind == .notSupported
            else {
                throw error
            }
        }
    }

    // MARK: - Sessions

    /// Lends a read-only session of the pool for the time of `body`, for it alone.
    ///
    /// Objects made on it may die with it at any time after: make those that must stay on a session of `openSession`.
    ///
    /// - Parameter deadline: how long to wait for a free session; nil waits for good. A call that runs cannot be cut
    ///   short: one that hangs for `defaultPatience` no longer counts against the size of the pool.
    /// - Throws: `.timedOut`, what `C_OpenSession` returned, or what `body` throws.
    package func withSession<R: ~Copyable>(
        deadline: Duration? = nil, _ body: (borrowing Session) throws(PKCS11Error) -> R
    ) throws(PKCS11Error) -> R {
        let loan = try pool.lease(deadline: deadline.map { MonotonicTime.after($0) })
        defer { pool.giveBack(loan) }
        return try body(Session(loan.box, closes: false))
    }

    /// Read-only sessions that are open, without those that hang.
    package var sessionCount: Int { pool.count }

    /// How many read-only sessions there may be at once.
    package var sessionLimit: Int { pool.limit }

    /// Whether one more call would leave a session to others, and none of them waits for one.
    package var hasSpareSession: Bool { pool.hasSpare }

    /// Opens a session of the caller's own, which closes when it goes.
    package func openSession(readWrite: Bool) throws(PKCS11Error) -> Session {
        Session(try place.open(line, readWrite: readWrite), closes: true)
    }

    /// The keeper, opened if there is none or the one there is is dead.
    func livingKeeper() throws(PKCS11Error) -> SessionBox {
        let old = keeper.withLock { $0 }
        if let old {
            let isAlive = try Self.isAlive(old)
            if isAlive && old.fault == nil { return old }
            if !isAlive { dropSessions() }
        }
        let made = try place.open(line, readWrite: false)
        // A spoiled keeper is closed only now, when it is not the last session. If another thread was faster the
        // spare one closes itself.
        return keeper.withLock { keeper in
            if let other = keeper, other !== old { return other }
            keeper = made
            return made
        }
    }

    /// Closes the keeper and all idle sessions of the pool: the last session that goes logs out.
    package func dropSessions() {
        let old = keeper.withLock { keeper in
            let old = keeper
            keeper = nil
            return old
        }
        old?.close()
        pool.drop()
    }

    private static func isAlive(_ box: SessionBox) throws(PKCS11Error) -> Bool {
        do throws(PKCS11Error) {
            _ = try Session(box, closes: false).isLoggedIn()
            return true
        } catch {
            if let value = error.returnValue, value.endsAllSessions { return false }
            throw error
        }
    }
}
