// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11

/// Tries out on throw-away keys what a token can really do: mechanism lists and attributes are known to lie.
///
/// Needs a login, and logs out and in again once: what is to work without a login has to show it.
struct TokenProbe {
    private let token: Token
    private let policy: KeyPolicy
    /// No class key has this generation.
    private let id = ClassKeyID(.afterFirstUnlock, generation: 0)
    private let name: KeyName

    init(_ token: Token, _ policy: KeyPolicy, keychain: ItemUUID) {
        self.token = token
        self.policy = policy
        name = KeyName(id, of: keychain)
    }

    /// What was made to try a residence, and seals.
    private struct Candidate {
        let residence: Residence
        var wrap: WrappedKey.Wrap?
        let sealing: any SealingKey
        /// Objects that have to be destroyed when the trial is over.
        let objects: [ObjectHandle]
    }

    /// The best way that the token has to keep class keys, within the policy.
    ///
    /// - Throws: `.unimplemented` if it has no suite, `.residenceRefused` if it cannot keep the keys inside and the policy
    ///   does not allow that the host does, `.tokenFailed`.
    func plan(
        _ pin: borrowing SecretBytes, in session: borrowing Session
    ) throws(KeychainError) -> KeyPlan {
        let suite = try firstSuite(in: session)
        let afterFirstUnlock = suite.isAsymmetric ? nil : try sessionCandidate(suite, in: session)
        let always = try tokenCandidate(suite, in: session)
        let trials = [afterFirstUnlock, always].compactMap { $0 }
        let survivors = trials.isEmpty ? [] : try survivors(of: trials, pin, in: session)
        func chosen(_ candidate: Candidate?, _ what: String) throws(KeychainError) -> Candidate? {
            if let candidate, survivors.contains(candidate.residence) { return candidate }
            guard policy.allowsHostHeld else {
                throw KeychainError(
                    .residenceRefused, .provision, subject: .token(token.identity),
                    cause: .format(place: what, fault: "cannot be kept inside the token"), remedy: .allowHostHeld)
            }
            return nil
        }
        let kept = try chosen(afterFirstUnlock, "after-first-unlock key")
        let open = try chosen(always, "key that needs no login")
        return KeyPlan(
            suite: suite, afterFirstUnlock: kept?.residence ?? .hostHeld, wrap: kept?.wrap,
            always: open?.residence ?? .hostHeld)
    }

    // MARK: - Suites

    /// From the one that keeps most on the token to the one that most tokens have.
    private static let preference: [Suite] = [.aesGCM, .cbcHMAC, .hmacKDF, .rsaOAEPSHA256, .rsaOAEP, .ecdhP256]

    private func firstSuite(in session: borrowing Session) throws(KeychainError) -> Suite {
        var first: SealError?
        for suite in policy.suite.map({ [$0] }) ?? Self.preference {
            // A fault of a moment must not leave the keychain with a lesser suite.
            for _ in 1...2 {
                do throws(SealError) {
                    if try works(suite, in: session) { return suite }
                } catch {
                    try passOn(error)
                    first = first ?? error
                }
            }
        }
        // The user of a card has to know what there is to name.
        if policy.suite?.isAsymmetric ?? true, first.map(Self.isRefusedKey) ?? false {
            let pairs: String
            do { pairs = try AdoptedPair.listed(in: session) } catch { throw KeychainError(error, .provision) }
            if !pairs.isEmpty {
                throw KeychainError(
                    .unimplemented, .provision, subject: .token(token.identity),
                    cause: .format(place: "token", fault: "makes no keys; the pairs that it has are \(pairs)"),
                    remedy: .giveKeyID)
            }
        }
        let cause = first.flatMap { KeychainError($0, .provision).cause }
        throw KeychainError(.unimplemented, .provision, subject: .token(token.identity), cause: cause)
    }

    /// Whether the token made no key.
    private static func isRefusedKey(_ error: SealError) -> Bool {
        guard case .token(let cause) = error else { return false }
        return cause.function == CryptokiFunction.generateKey.name
            || cause.function == CryptokiFunction.generateKeyPair.name
    }

    /// Whether keys of the suite seal and open on the token.
    private func works(_ suite: Suite, in session: borrowing Session) throws(SealError) -> Bool {
        // A device may make pairs of its own only, and no session objects.
        for onToken in suite.isAsymmetric ? [false, true] : [false] {
            do throws(SealError) {
                return try withObjects(suite, onToken: onToken, in: session) { (made) throws(SealError) in
                    if suite == .aesGCM { try settleGCM(made.objects[0]) }
                    guard let sealing = suite.sealing(token, made.objects, made.publicHalf) else { return false }
                    return try sealing.opensOwnSeal()
                }
            } catch {
                guard suite.isAsymmetric, !onToken, !isToldAnyway(error) else { throw error }
            }
        }
        return false
    }

    /// Settles how the module wants its AES-GCM parameters, by sealing and opening.
    ///
    /// A token that draws its own IVs fails the probe of the shape, which gives IVs of ours, and is left with the usual
    /// one.
    private func settleGCM(_ key: ObjectHandle) throws(SealError) {
        try SealError.token { () throws(PKCS11Error) in
            if let variant = try token.probeGCMVariant(key), variant != token.gcmVariant {
                token.setGCMVariant(variant)
            }
        }
    }

    /// Private objects for the time of a trial.
    private func withObjects<R>(
        _ suite: Suite, onToken: Bool, in session: borrowing Session, _ trial: (Objects) throws(SealError) -> R
    ) throws(SealError) -> R {
        let made = try make(suite, isPrivate: true, onToken: onToken, in: session)
        let result: R
        do throws(SealError) { result = try trial(made) } catch {
            abandon(made.objects, in: session)
            throw error
        }
        try discard(made.objects, in: session)
        return result
    }

    private typealias Objects = (objects: [ObjectHandle], publicHalf: PublicHalf?)

    private func make(
        _ suite: Suite, isPrivate: Bool, onToken: Bool, in session: borrowing Session
    ) throws(SealError) -> Objects {
        var objects: [ObjectHandle] = []
        var half: PublicHalf?
        do throws(SealError) {
            for kind in suite.objectKinds {
                let made = try KeyObjectMaker.make(
                    kind, suite, name, isPrivate: isPrivate, onToken: onToken, in: session)
                objects.append(made.handle)
                half = made.publicHalf
            }
        } catch {
            abandon(objects, in: session)
            throw error
        }
        return (objects, half)
    }

    // MARK: - Residences

    /// An after-first-unlock key as the token might keep it in a session; nil if it does not.
    private func sessionCandidate(_ suite: Suite, in session: borrowing Session) throws(KeychainError) -> Candidate? {
        if let copied = try attempt({ () throws(SealError) in try copies(suite, in: session) }) { return copied }
        for wrap in [WrappedKey.Wrap.aes, .rsa] {
            let unwrapped = try attempt { () throws(SealError) in try self.unwrapped(suite, wrap, in: session) }
            if let unwrapped { return unwrapped }
        }
        return nil
    }

    /// Public session copies of private keys.
    private func copies(_ suite: Suite, in session: borrowing Session) throws(SealError) -> Candidate? {
        try withObjects(suite, onToken: false, in: session) { (made) throws(SealError) in
            var copies: [ObjectHandle] = []
            do throws(SealError) {
                for object in made.objects {
                    copies.append(
                        try SealError.token { () throws(PKCS11Error) in
                            try session.copyObject(object, ClassKeyTemplate.sessionCopy(isPrivate: false))
                        })
                }
                return try candidate(.copiedSession, nil, suite, copies, onToken: false, in: session)
            } catch {
                abandon(copies, in: session)
                throw error
            }
        }
    }

    /// Keys that were wrapped and unwrapped on the token.
    private func unwrapped(
        _ suite: Suite, _ wrap: WrappedKey.Wrap, in session: borrowing Session
    ) throws(SealError) -> Candidate? {
        var waste: [ObjectHandle] = []
        var keys: [ObjectHandle] = []
        do throws(SealError) {
            do throws(PKCS11Error) {
                let wrapping = try WrappingKey.make(wrap, name, onToken: false, in: session)
                waste = wrapping.objects
                for kind in suite.objectKinds {
                    let blob = try AfterFirstUnlock.make(kind, name, wrap, by: wrapping.wraps, in: session)
                    keys.append(
                        try AfterFirstUnlock.unwrap(blob, kind, by: wrapping.unwraps, as: name, in: session))
                }
            } catch {
                throw SealError(error)
            }
            let found = try candidate(.unwrappedSession, wrap, suite, keys, onToken: false, in: session)
            try discard(waste, in: session)
            return found
        } catch {
            abandon(keys + waste, in: session)
            throw error
        }
    }

    /// Public token objects; nil if the token makes none.
    private func tokenCandidate(_ suite: Suite, in session: borrowing Session) throws(KeychainError) -> Candidate? {
        try attempt { () throws(SealError) in
            let made = try make(suite, isPrivate: false, onToken: true, in: session)
            do throws(SealError) {
                return try candidate(
                    .tokenPublic, nil, suite, made.objects, made.publicHalf, onToken: true, in: session)
            } catch {
                abandon(made.objects, in: session)
                throw error
            }
        }
    }

    /// The objects as a candidate, if they read back as they should: in the open, and not to be taken out.
    ///
    /// If not, they are destroyed.
    private func candidate(
        _ residence: Residence, _ wrap: WrappedKey.Wrap?, _ suite: Suite, _ objects: [ObjectHandle],
        _ half: PublicHalf? = nil, onToken: Bool, in session: borrowing Session
    ) throws(SealError) -> Candidate? {
        for (object, kind) in zip(objects, suite.objectKinds) {
            let fault = try SealError.token { () throws(PKCS11Error) in
                try SuiteTemplates.fault(of: object, in: session, isPrivate: false, onToken: onToken, uses: kind.uses)
            }
            guard fault == nil else {
                try discard(objects, in: session)
                return nil
            }
        }
        guard let sealing = suite.sealing(token, objects, half) else {
            try discard(objects, in: session)
            return nil
        }
        return Candidate(residence: residence, wrap: wrap, sealing: sealing, objects: objects)
    }

    /// Which of them go on working after a logout; logs in again, and destroys them all.
    private func survivors(
        of candidates: [Candidate], _ pin: borrowing SecretBytes, in session: borrowing Session
    ) throws(KeychainError) -> [Residence] {
        let objects = candidates.flatMap(\.objects)
        do throws(KeychainError) {
            do { try token.logout() } catch { throw KeychainError(error, .provision) }
            var alive: [Residence] = []
            for candidate in candidates {
                let works = try attempt { () throws(SealError) in try candidate.sealing.opensOwnSeal() ? true : nil }
                if works != nil { alive.append(candidate.residence) }
            }
            do { try token.login(pin) } catch { throw KeychainError(login: error, token: token) }
            do { try discard(objects, in: session) } catch { throw KeychainError(error, .provision) }
            return alive
        } catch {
            // They are public, so it takes no login.
            abandon(objects, in: session)
            throw error
        }
    }

    // MARK: - Helpers

    /// What a trial came to; nil if the token refused in whatever way: then the way does not exist here.
    private func attempt<R>(_ trial: () throws(SealError) -> R?) throws(KeychainError) -> R? {
        do throws(SealError) { return try trial() } catch {
            try passOn(error)
            return nil
        }
    }

    /// Throws what says nothing about the way that was tried.
    private func passOn(_ error: SealError) throws(KeychainError) {
        if isToldAnyway(error) { throw KeychainError(error, .provision) }
    }

    /// Whether the token is gone, did not destroy what it had made, or there is no memory.
    private func isToldAnyway(_ error: SealError) -> Bool {
        switch error {
        case .token(let cause):
            cause.returnValue?.endsAllSessions == true || cause.function == CryptokiFunction.destroyObject.name
        case .libcrypto, .memory: true
        case .notAuthentic: false
        }
    }

    private func discard(_ objects: [ObjectHandle], in session: borrowing Session) throws(SealError) {
        for object in objects {
            do throws(PKCS11Error) { try session.destroyObject(object) } catch {
                // What went with the logout shows that the way does not exist here, and nothing else.
                guard error.returnValue?.kind == .objectGone else { throw SealError(error) }
            }
        }
    }

    /// Destroys what can be destroyed, after another failure, which is the one to tell: session objects die with the session
    /// in any case, and one on the token has a label that nobody searches for.
    private func abandon(_ objects: [ObjectHandle], in session: borrowing Session) {
        for object in objects { try? session.destroyObject(object) }
    }
}
