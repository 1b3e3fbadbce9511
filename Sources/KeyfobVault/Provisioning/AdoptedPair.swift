// SPDX-License-Identifier: Apache-2.0
internal import KeyfobCrypto
internal import KeyfobModel
internal import KeyfobPKCS11

/// A pair that was on the token before the keychain: that of a card whose keys are made elsewhere.
///
/// One pair serves every class. The classes whose promise ends with the lock use it on the token; the others, and the
/// passcode class, whose key must be possible to destroy, have a key that the host holds and the pair seals.
struct AdoptedPair {
    let objectID: [UInt8]
    let suite: Suite
    let handle: ObjectHandle
    let publicHalf: PublicHalf

    /// The pair of a `CKA_ID`, after it has opened what was sealed to it; needs a login.
    ///
    /// - Parameter suite: the suite that is wanted; nil: the best that the pair does.
    /// - Throws: `.notAvailable` if there is no such pair, or more than one; `.residenceRefused` if it can be read, taken
    ///   out, used without a login, or asks for the PIN at each use; `.unimplemented` if it does no suite.
    static func find(
        _ id: [UInt8], _ suite: Suite?, on token: Token, in session: borrowing Session
    ) throws(KeychainError) -> AdoptedPair {
        func refusal(_ code: KeychainError.Code, _ fault: String) -> KeychainError {
            KeychainError(
                code, .provision, subject: .token(token.identity),
                cause: .format(place: "key \(hex(id))", fault: fault), remedy: .giveKeyID)
        }
        let handle: ObjectHandle
        let suites: [Suite]
        do {
            var template = ClassKeyTemplate.all(.privateKey)
            template.set(.id, id)
            let found = try session.find(template, limit: 2)
            guard let first = found.first else {
                let others = try listed(in: session)
                throw refusal(
                    .notAvailable, "is no pair of the token" + (others.isEmpty ? "" : ", which has " + others))
            }
            guard found.count == 1 else { throw refusal(.notAvailable, "is on the token more than once") }
            handle = first
            if let fault = try fault(of: handle, in: session) { throw refusal(.residenceRefused, fault) }
            suites = try Self.suites(of: handle, in: session).filter { suite == nil || suite == $0 }
        } catch let error as PKCS11Error {
            throw KeychainError(error, .provision)
        } catch let error as KeychainError {
            throw error
        } catch {
            throw KeychainError(.internalError, .provision)
        }
        for suite in suites {
            do throws(SealError) {
                guard let half = try publicHalf(of: handle, id, suite, in: session) else { continue }
                guard let sealing = suite.sealing(token, [handle], half), try sealing.opensOwnSeal() else { continue }
                return AdoptedPair(objectID: id, suite: suite, handle: handle, publicHalf: half)
            } catch {
                // A pair that refuses one suite may do another; a token that is gone does none.
                guard case .token(let cause) = error, cause.returnValue?.endsAllSessions != true else {
                    throw KeychainError(error, .provision)
                }
            }
        }
        throw refusal(.unimplemented, "does none of the suites that a pair is used with")
    }

    /// Shows that the token refuses the pair after a logout, or makes it forget the login (`Token.forgetLogin`).
    ///
    /// - Throws: `.residenceRefused` if the pair stays usable, `.tokenFailed`.
    func proveUnusable(on token: Token) throws(KeychainError) {
        let isForgotten: Bool
        do throws(PKCS11Error) {
            guard try suite.objectKinds[0].isAccepted(handle, on: token) else { return }
            isForgotten = try token.forgetLogin()
        } catch {
            throw KeychainError(error, .provision)
        }
        guard !isForgotten else { return }
        throw KeychainError(
            .residenceRefused, .provision, subject: .token(token.identity),
            cause: .format(place: "C_Logout", fault: "left the key usable"), remedy: .insertToken)
    }

    /// The pairs that the user may name, in words: `01 (RSA, PIV AUTH key), 03 (EC, KEY MAN key)`; empty: there is none.
    static func listed(in session: borrowing Session) throws(PKCS11Error) -> String {
        var words: [String] = []
        for handle in try session.find(ClassKeyTemplate.all(.privateKey), limit: 16) {
            guard let id = try session.bytes(of: handle, .id), !id.isEmpty else { continue }
            let type =
                switch try session.ulong(of: handle, .keyType) {
                case KeyType.rsa.rawValue: "RSA"
                case KeyType.ec.rawValue: "EC"
                default: "another type"
                }
            let label = String(decoding: try session.bytes(of: handle, .label) ?? [], as: UTF8.self)
            let asks = try session.bool(of: handle, .alwaysAuthenticate) == true ? ", PIN at each use" : ""
            words.append("\(hex(id)) (\(type)\(label.isEmpty ? "" : ", " + label)\(asks))")
        }
        return words.joined(separator: ", ")
    }

    /// What anybody can read of a pair's public half; nil if the token does not tell without a login.
    static func publicHalf(
        _ id: [UInt8], _ suite: Suite, on token: Token
    ) throws(SealError) -> PublicHalf? {
        let session = try SealError.token { () throws(PKCS11Error) in try token.openSession(readWrite: false) }
        return try publicHalf(id, suite, in: session)
    }

    /// What keeps a key from being a class key; nil: nothing.
    static func fault(
        of handle: ObjectHandle, in session: borrowing Session
    ) throws(PKCS11Error) -> String? {
        let promises: [(AttributeType, Bool, String)] = [
            (.sensitive, true, "can be read (CKA_SENSITIVE)"),
            (.extractable, false, "can be taken out (CKA_EXTRACTABLE)"),
            (.private, true, "works without a login (CKA_PRIVATE)"),
        ]
        for (attribute, value, fault) in promises where try session.bool(of: handle, attribute) != value {
            return fault
        }
        guard try session.bool(of: handle, .alwaysAuthenticate) != true else {
            return "asks for the PIN at each use (CKA_ALWAYS_AUTHENTICATE)"
        }
        return nil
    }

    // MARK: - Private

    private static func suites(
        of handle: ObjectHandle, in session: borrowing Session
    ) throws(PKCS11Error) -> [Suite] {
        switch try session.ulong(of: handle, .keyType) {
        case KeyType.rsa.rawValue: [.rsaOAEPSHA256, .rsaOAEP]
        case KeyType.ec.rawValue: [.ecdhP256]
        default: []
        }
    }

    /// By the private key itself, else by what has the same `CKA_ID`.
    private static func publicHalf(
        of handle: ObjectHandle, _ id: [UInt8], _ suite: Suite, in session: borrowing Session
    ) throws(SealError) -> PublicHalf? {
        if let half = try PublicHalf(of: handle, suite, in: session) { return half }
        return try publicHalf(id, suite, in: session)
    }

    /// By the public key object, else by the certificate.
    private static func publicHalf(
        _ id: [UInt8], _ suite: Suite, in session: borrowing Session
    ) throws(SealError) -> PublicHalf? {
        for kind in [ObjectClass.publicKey, .certificate] {
            var template = ClassKeyTemplate.all(kind)
            template.set(.id, id)
            let found = try SealError.token { () throws(PKCS11Error) in try session.find(template, limit: 2) }
            guard found.count == 1 else { continue }
            if kind == .publicKey, let half = try PublicHalf(of: found[0], suite, in: session) { return half }
            guard kind == .certificate else { continue }
            let bytes = try SealError.token { () throws(PKCS11Error) in try session.bytes(of: found[0], .value) }
            guard let bytes else { continue }
            let key = try SealError.host { () throws(LibcryptoError) in try CertifiedKey(certificate: bytes) }
            if let half = PublicHalf(key, suite) { return half }
        }
        return nil
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension PublicHalf {
    /// Nil for a key of another kind than the suite's.
    init?(_ key: CertifiedKey?, _ suite: Suite) {
        switch (key, suite) {
        case (.rsa(let key), .rsaOAEP), (.rsa(let key), .rsaOAEPSHA256): self = .rsa(key)
        case (.p256(let key), .ecdhP256): self = .p256(key)
        default: return nil
        }
    }
}
