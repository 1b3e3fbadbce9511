// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobMemory
internal import KeyfobModel
internal import KeyfobPKCS11

/// Makes the presence key of a keychain on its token, and finds out by doing whether the token asks for the PIN.
///
/// An attribute that reads back true proves nothing: NSS and openCryptoki keep `CKA_ALWAYS_AUTHENTICATE` and ignore it. So
/// the key itself is tried before it is used for anything: it must refuse to decrypt without the PIN, decrypt with it, and
/// refuse again. One that does not is destroyed.
struct PresenceProvisioner {
    /// What came of it.
    enum Outcome {
        case made(PresencePublicKey)
        /// The token has no such key to offer; in words for the log.
        case refused(String)
    }

    let keychain: ItemUUID
    let token: Token

    private static let generation: UInt32 = 1

    /// The presence key of generation 1; needs a login, and sends the PIN to the token a few times more.
    ///
    /// A key that is there already, left by a try that did not end, is taken if it passes.
    ///
    /// - Throws: what the token answers to the PIN; its faults.
    func run(_ pin: borrowing SecretBytes) throws(KeychainError) -> Outcome {
        do {
            let session = try token.openSession(readWrite: true)
            let name = KeyName(presenceKeyOf: keychain, generation: Self.generation)
            let handle: ObjectHandle
            if let found = try session.find(PresenceKeyTemplate.search(name), limit: 1).first {
                handle = found
            } else {
                switch try make(name, in: session) {
                case .some(let made): handle = made
                case .none: return .refused("the token makes no RSA key that asks for the PIN at each use")
                }
            }
            if let fault = try PresenceKeyTemplate.fault(of: handle, in: session) {
                try session.destroyObject(handle)
                return .refused("\(fault) does not read back as it was set")
            }
            guard let modulus = try session.bytes(of: handle, .modulus),
                let exponent = try session.bytes(of: handle, .publicExponent)
            else { throw KeychainError(.tokenFailed, .provision, subject: .token(token.identity)) }
            let publicKey = RSAPublicKey(modulus: modulus, exponent: exponent)
            switch try trial(of: handle, publicKey, pin) {
            case .success(let suite):
                return .made(PresencePublicKey(suite: suite, generation: Self.generation, key: publicKey))
            case .failure(let reason):
                try session.destroyObject(handle)
                return .refused(reason.words)
            }
        } catch let error as PKCS11Error {
            throw KeychainError(presence: error, .provision, token: token)
        } catch let error as LibcryptoError {
            throw KeychainError(error, .provision)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, .provision)
        }
    }

    /// Why a key failed its trial.
    private enum Reason: Error {
        case opensWithoutPIN
        case doesNotOpen

        var words: String {
            switch self {
            case .opensWithoutPIN: "the token does not ask for the PIN at each use"
            case .doesNotOpen: "the token does not decrypt RSA-OAEP after the PIN was given"
            }
        }
    }

    /// A fresh pair's private half; nil if the token does not make one.
    private func make(_ name: KeyName, in session: borrowing Session) throws(PKCS11Error) -> ObjectHandle? {
        let wanted = PresenceKeyTemplate.privateKey(name)
        // A token that does not know the last attribute gets a key without it; the trial decides in any case. NSS says
        // CKR_GENERAL_ERROR to it.
        for (template, isLast) in [(wanted, false), (wanted.without(.copyable), true)] {
            do throws(PKCS11Error) {
                let pair = try session.generateKeyPair(
                    .rsaKeyPairGeneration, publicKey: PresenceKeyTemplate.publicKey, privateKey: template)
                try session.destroyObject(pair.publicKey)
                return pair.privateKey
            } catch {
                switch error.returnValue?.kind {
                case .dataInvalid, .notSupported, .programError: continue
                case .tokenFailed where !isLast && error.returnValue?.endsAllSessions != true: continue
                default: throw error
                }
            }
        }
        return nil
    }

    private func trial(
        of handle: ObjectHandle, _ key: RSAPublicKey, _ pin: borrowing SecretBytes
    ) throws -> Result<PresenceSuite, Reason> {
        let secret = try RandomBytes.secret(ItemGuard.secretSize)
        for suite in [PresenceSuite.rsaOAEPSHA256, .rsaOAEPSHA1] {
            let sealed = try key.seal(secret, suite.hash)
            if opens(sealed, suite, handle) { return .failure(.opensWithoutPIN) }
            do throws(PKCS11Error) {
                let session = try token.openSession(readWrite: false)
                let opened = unsafe try session.decrypt(suite.mechanism, key: handle, sealed.span.bytes, pin: pin)
                guard opened.withBytes({ opened in secret.withBytes { ConstantTime.equal(opened, $0) } }) else {
                    continue
                }
                // The PIN serves one use: the same session must ask again.
                let again = Result { () throws(PKCS11Error) in
                    _ = unsafe try session.decrypt(suite.mechanism, key: handle, sealed.span.bytes)
                }
                if case .success = again { return .failure(.opensWithoutPIN) }
                return .success(suite)
            } catch {
                // A suite that the token does not have fails before or after the PIN; a refused PIN is no finding.
                guard error.function != "C_Login" || error.returnValue?.kind == .notSupported else { throw error }
            }
        }
        return .failure(.doesNotOpen)
    }

    /// Whether the key decrypts without the PIN, in a session of its own.
    private func opens(_ sealed: [UInt8], _ suite: PresenceSuite, _ handle: ObjectHandle) -> Bool {
        do throws(PKCS11Error) {
            let session = try token.openSession(readWrite: false)
            _ = unsafe try session.decrypt(suite.mechanism, key: handle, sealed.span.bytes)
            return true
        } catch {
            return false
        }
    }
}

extension KeychainError {
    /// The error of a use of a presence key: a refused PIN comes with what the token says about the tries that are left.
    init(presence error: PKCS11Error, _ operation: Operation, token: Token) {
        let plain = KeychainError(error, operation)
        guard error.returnValue?.kind == .pinIncorrect else {
            self = plain
            return
        }
        // Only to tell more: if the token cannot be asked, the number of tries is unknown.
        let tries = (try? token.info().triesLeft) ?? .unknown
        self.init(
            .pinIncorrect, operation, subject: .token(token.identity), cause: plain.cause,
            remedy: tries == .none ? .unblockWithSO : .enterCorrectPIN(triesLeft: tries))
    }
}
