// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
package import KeyfobMemory
package import KeyfobModel
internal import KeyfobPKCS11
internal import Synchronization

extension Vault {
    /// What is known of the presence key: nil until `findPresenceKey` was called once in the keychain's life.
    package var presenceRecord: PresenceRecord? { presence.record }

    /// Makes the presence key, or finds that the token can have none, unless that is known already.
    ///
    /// Needs a login with the PIN, which reaches the token a few times more; takes a second, and many on a card. Who comes
    /// meanwhile waits, and finds it done. A key that a call before left on the token is taken.
    ///
    /// - Parameters:
    ///   - refused: is told why there is none.
    ///   - keep: stores what was found; if it throws, nothing is known as before.
    /// - Throws: the faults of the token; what `keep` throws.
    package func findPresenceKey(
        _ pin: borrowing SecretBytes, refused: (String) -> Void, keep: (PresenceRecord) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try presence.turn.withLock { (_) throws(KeychainError) in
            guard presence.record == nil else { return }
            let record: PresenceRecord
            switch try PresenceProvisioner(keychain: keychain, token: token).run(pin) {
            case .made(let key):
                let sealed = try sealPublicKey(key)
                record = PresenceRecord(generation: key.generation, suite: key.suite, sealedPublicKey: sealed)
            case .refused(let reason):
                refused(reason)
                record = PresenceRecord(generation: 1, suite: nil, sealedPublicKey: [])
            }
            try keep(record)
            presence.keep(record)
        }
    }

    /// What the token has to ask for before an item under the access control opens; nil: nothing.
    ///
    /// - Throws: `.unimplemented` if the token cannot do what it says, `.notProvisioned` if there is no presence key yet.
    package func demand(
        of accessControl: AccessControl?, _ operation: KeychainError.Operation
    ) throws(KeychainError) -> AccessControl.Demand? {
        guard let accessControl, accessControl.flags != 0 else { return nil }
        let demand: AccessControl.Demand?
        do {
            demand = try accessControl.demand(hasPinPad: try hasPinPad(operation))
        } catch let obstacle as AccessControl.Obstacle {
            throw KeychainError(
                .unimplemented, operation, subject: .parameter("accc"),
                cause: .format(place: "access control", fault: obstacle.words))
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, operation)
        }
        guard demand?.needsPresence == true else { return demand }
        guard let record = presence.record else {
            throw KeychainError(
                .notProvisioned, operation, subject: .parameter("accc"),
                cause: .format(place: "presence key", fault: "is made when somebody logs in with the PIN"),
                remedy: .unlock)
        }
        guard record.suite != nil else {
            throw KeychainError(
                .unimplemented, operation, subject: .token(token.identity),
                cause: .format(
                    place: "presence key",
                    fault: record.generation == 0
                        ? "is turned off in the configuration"
                        : "is refused: the token does not ask for the PIN at each use"))
        }
        return demand
    }

    // MARK: - Guards

    /// A guard for an item, with secrets of its own; no token call but for the first one of the process.
    ///
    /// - Parameter password: what an access control with an application password takes.
    /// - Throws: `.applicationPasswordRequired` if there is none; as `demand`.
    package func freshGuard(
        _ demand: AccessControl.Demand, password: borrowing SecretBytes?, binding: ItemBinding,
        _ operation: KeychainError.Operation
    ) throws(KeychainError) -> ItemGuard {
        let epoch = epoch
        let metadataKey = try metadataKey(binding.key, operation)
        do {
            var presence: ItemGuard.Header.Presence?
            var secrets = try RandomBytes.secret(demand.needsPresence ? ItemGuard.secretSize : 0)
            if demand.needsPresence {
                let key = try publicKey(operation)
                presence = .init(suite: key.suite, generation: key.generation, sealed: try key.seal(secrets))
            }
            var derivation: ItemGuard.Header.Password?
            if demand.needsApplicationPassword {
                let chosen = ItemGuard.Header.Password(
                    cost: .current, salt: try RandomBytes.bytes(ItemGuard.saltSize))
                secrets = try ItemGuard.joined(secrets, try derive(chosen, password, operation))
                derivation = chosen
            }
            let check = try metadataKey.with { (key) throws(LibcryptoError) in
                try ItemGuard.check(key, secrets, binding)
            }
            let header = ItemGuard.Header(presence: presence, password: derivation, check: check)
            return ItemGuard(header: header.encoded, secrets: secrets)
        } catch {
            throw failure(error, binding.key, since: epoch, operation)
        }
    }

    /// The header of an item's guard; nil: it has none.
    package func guardHeader(of blob: [UInt8], binding: ItemBinding) throws(OpenFailure) -> ItemGuard.Header? {
        let layout = try Self.metadataLayout(blob, binding)
        guard !layout.guardHeader.isEmpty else { return nil }
        do { return try ItemGuard.Header(Array(blob[layout.guardHeader])) } catch { throw .damaged(error) }
    }

    /// The opened guard of an item: one use of the presence key if it has to do with one, for which the PIN reaches the
    /// token once.
    ///
    /// - Parameters:
    ///   - pin: nil: the token asks for it itself.
    ///   - password: the application password.
    /// - Throws: `.pinIncorrect` (with the tries left), `.pinFinalTry`, `.pinLocked`, `.pinLength`,
    ///   `.applicationPasswordIncorrect`, `.notAvailable` if the key is gone, as `.unavailable`.
    package func openGuard(
        _ header: ItemGuard.Header, pin: borrowing SecretBytes?, password: borrowing SecretBytes?,
        binding: ItemBinding, _ operation: KeychainError.Operation
    ) throws(OpenFailure) -> ItemGuard {
        let epoch = epoch
        do {
            let metadataKey = try metadataKey(binding.key, operation)
            var secrets = try RandomBytes.secret(0)
            if let presence = header.presence { secrets = try open(presence, pin, operation) }
            if let derivation = header.password {
                secrets = try ItemGuard.joined(secrets, try derive(derivation, password, operation))
            }
            let check = try metadataKey.with { (key) throws(LibcryptoError) in
                try ItemGuard.check(key, secrets, binding)
            }
            guard check == header.check else {
                guard header.password != nil else { throw OpenFailure.damaged(.notAuthentic) }
                throw KeychainError(.applicationPasswordIncorrect, operation)
            }
            return ItemGuard(header: header.encoded, secrets: secrets)
        } catch let failure as OpenFailure {
            throw failure
        } catch {
            throw .unavailable(failure(error, binding.key, since: epoch, operation))
        }
    }

    /// Whether the token asks for its PIN itself.
    package func hasPinPad(_ operation: KeychainError.Operation) throws(KeychainError) -> Bool {
        do { return try token.info().flags.contains(.protectedAuthenticationPath) } catch {
            throw KeychainError(error, operation)
        }
    }

    // MARK: - Private

    private func derive(
        _ derivation: ItemGuard.Header.Password, _ password: borrowing SecretBytes?,
        _ operation: KeychainError.Operation
    ) throws -> SecretBytes {
        switch password {
        case .some(let password):
            try KeyDerivation.scrypt(
                password, salt: derivation.salt, derivation.cost, count: ItemGuard.secretSize)
        case .none: throw KeychainError(.applicationPasswordRequired, operation)
        }
    }

    private func open(
        _ sealed: ItemGuard.Header.Presence, _ pin: borrowing SecretBytes?, _ operation: KeychainError.Operation
    ) throws -> SecretBytes {
        // Nothing of the header is authenticated yet: what was never made here is a damaged row, not a missing key.
        if let record = presence.record, let suite = record.suite {
            guard (1...record.generation).contains(sealed.generation) else { throw OpenFailure.damaged(.otherClassKey) }
            guard sealed.generation < record.generation || sealed.suite == suite else {
                throw OpenFailure.damaged(.unknownSuite(sealed.suite.rawValue))
            }
        }
        let name = KeyName(presenceKeyOf: keychain, generation: sealed.generation)
        let found = try token.withSession { (session) throws(PKCS11Error) in
            try session.find(PresenceKeyTemplate.search(name), limit: 2)
        }
        guard found.count == 1, let handle = found.first else {
            // Without a login the token shows no private key.
            guard lockState == .unlocked else {
                throw KeychainError(
                    .interactionNotAllowed, operation, subject: .token(token.identity), remedy: .unlock)
            }
            let fault = found.isEmpty ? "is not on the token" : "is on the token more than once"
            throw KeychainError(
                .notAvailable, operation, cause: .format(place: name.label, fault: fault), remedy: .insertToken)
        }
        let opened: SecretBytes
        do throws(PKCS11Error) {
            opened = unsafe try token.decryptAuthenticated(
                sealed.suite.mechanism, key: handle, sealed.sealed.span.bytes, pin: pin)
        } catch {
            if error.isRejectedCiphertext { throw OpenFailure.damaged(.notAuthentic) }
            throw KeychainError(presence: error, operation, token: token)
        }
        guard opened.count == ItemGuard.secretSize else { throw OpenFailure.damaged(.malformed) }
        return opened
    }

    /// The public half: opened at its first use, which takes a token call if nothing else of the `dk` class was opened yet.
    private func publicKey(_ operation: KeychainError.Operation) throws -> PresencePublicKey {
        if let known = presence.publicKey { return known }
        guard let record = presence.record, record.suite != nil else { throw damagedPresence(operation) }
        let opened: SecretBytes
        do throws(OpenFailure) {
            opened = try openBeside(record.sealedPublicKey, publicKeyData, operation)
        } catch {
            switch error {
            case .damaged: throw damagedPresence(operation)
            case .unavailable(let error): throw error
            }
        }
        let bytes = opened.withBytes { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
        guard let key = PresencePublicKey(encoded: bytes), key.suite == record.suite,
            key.generation == record.generation
        else { throw damagedPresence(operation) }
        presence.keep(key)
        return key
    }

    private func sealPublicKey(_ key: PresencePublicKey) throws(KeychainError) -> [UInt8] {
        let plain: SecretBytes
        do { plain = try SecretBytes(copying: key.encoded) } catch { throw KeychainError(error, .provision) }
        return try sealBeside(plain, publicKeyData, .provision)
    }

    /// `purpose 19 | version 1 | keychain 16`.
    private var publicKeyData: [UInt8] { [19, Envelope.version] + keychain.bytes }

    private func damagedPresence(_ operation: KeychainError.Operation) -> KeychainError {
        KeychainError(
            .storeDamaged, operation,
            cause: .format(place: "presence key", fault: "fails authentication"), remedy: .restoreFromBackup)
    }
}

extension AccessControl.Obstacle {
    /// The obstacle in words for logs.
    var words: String {
        switch self {
        case .isForKeys: "is for the use of private keys"
        case .notOnToken(.biometryAny): "asks for biometry, which this token does not have"
        case .notOnToken(.biometryCurrentSet): "asks for the enrolled biometry, of which no token tells"
        case .notOnToken(.companion): "asks for a companion device, and there is none"
        case .notOnToken: "asks for what this token does not have"
        }
    }
}
