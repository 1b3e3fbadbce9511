// SPDX-License-Identifier: Apache-2.0
import KeyfobCrypto
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// A suite, as tests go through them.
enum SuiteCase: CaseIterable, Sendable {
    case cbcHMAC
    case hmac
    case rsa
    case ecdh

    /// Bytes that a sealed secret is longer by, written out.
    var overhead: Int {
        switch self {
        case .cbcHMAC: 16 + 32
        case .hmac: 32 + 16
        case .rsa: 256 + 16
        case .ecdh: 65 + 16
        }
    }

    /// What one seal calls on the token.
    var sealCalls: [String: Int] {
        switch self {
        case .cbcHMAC: ["C_EncryptInit": 1, "C_Encrypt": 1, "C_SignInit": 1, "C_Sign": 1]
        case .hmac: ["C_SignInit": 1, "C_Sign": 1]
        case .rsa, .ecdh: [:]
        }
    }

    /// What one open calls on the token.
    var openCalls: [String: Int] {
        switch self {
        case .cbcHMAC: ["C_SignInit": 1, "C_Sign": 1, "C_DecryptInit": 1, "C_Decrypt": 1]
        case .hmac: ["C_SignInit": 1, "C_Sign": 1]
        case .rsa: ["C_DecryptInit": 1, "C_Decrypt": 1]
        case .ecdh: ["C_DeriveKey": 1, "C_GetAttributeValue": 1, "C_DestroyObject": 1]
        }
    }

    /// The functions that an open calls.
    var openFunctions: [CryptokiFunction] { CryptokiFunction.allCases.filter { openCalls[$0.name] != nil } }
}

/// A suite's keys on a SoftHSM token of one test alone.
struct SuiteLab {
    let suite: SuiteCase
    let made: SoftHSMToken
    let token: Token
    let plan = FaultPlan()
    let key: any SealingKey
    /// The key's objects: secret or private.
    let handles: [ObjectHandle]

    init(_ suite: SuiteCase, isPrivate: Bool = true) throws {
        self.suite = suite
        made = try SoftHSMToken.make()
        token = try made.openLoggedIn(interposer: plan)
        (key, handles) = try Self.makeKey(suite, on: token, isPrivate: isPrivate)
        // A session of the pool is open from here on: calls that are counted are those of the suite.
        #expect(try key.opensOwnSeal())
    }

    /// The suite's key of a keychain of its own.
    static func makeKey(
        _ suite: SuiteCase, on token: Token, isPrivate: Bool = true
    ) throws -> (any SealingKey, [ObjectHandle]) {
        let session = try token.openSession(readWrite: true)
        let name = KeyName(ClassKeyID(.whenUnlocked, generation: 1), of: try Vault.freshUUID(.create))
        switch suite {
        case .cbcHMAC:
            let cipher = try session.generateKey(
                .aesKeyGeneration, SuiteTemplates.cipherKey(name, isPrivate: isPrivate, onToken: true))
            let mac = try session.generateKey(
                .genericSecretKeyGeneration, SuiteTemplates.macKey(name, isPrivate: isPrivate, onToken: true))
            return (CBCHMACSealing(token, cipherKey: cipher, macKey: mac), [cipher, mac])
        case .hmac:
            let key = try session.generateKey(
                .genericSecretKeyGeneration, SuiteTemplates.macKey(name, isPrivate: isPrivate, onToken: true))
            return (HMACSealing(token, key: key), [key])
        case .rsa:
            let pair = try session.generateKeyPair(
                .rsaKeyPairGeneration, publicKey: SuiteTemplates.rsaPublicKey(name),
                privateKey: SuiteTemplates.rsaPrivateKey(name, isPrivate: isPrivate, onToken: true))
            let numbers = try #require(try session.rsaNumbers(of: pair.privateKey))
            let publicKey = RSAPublicKey(modulus: numbers.modulus, exponent: numbers.exponent)
            return (RSASealing(token, key: pair.privateKey, publicKey: publicKey, .sha1), [pair.privateKey])
        case .ecdh:
            let pair = try session.generateKeyPair(
                .ecKeyPairGeneration, publicKey: SuiteTemplates.p256PublicKey(name),
                privateKey: SuiteTemplates.p256PrivateKey(name, isPrivate: isPrivate, onToken: true))
            let point = try #require(try session.p256Point(of: pair.publicKey))
            let publicKey = try #require(try P256PublicKey(point: point))
            return (ECDHSealing(token, key: pair.privateKey, publicKey: publicKey), [pair.privateKey])
        }
    }

    /// What `body` calls on the token.
    func calls(_ body: () throws -> Void) rethrows -> [String: Int] {
        let before = token.calls.snapshot()
        try body()
        return token.calls.snapshot().compactMapValues { $0 }.reduce(into: [:]) { result, call in
            let count = call.value - (before[call.key] ?? 0)
            if count > 0 { result[call.key] = count }
        }
    }

    /// How many secret keys the token shows, in all sessions.
    func secretKeys() throws -> Int {
        var template = Template()
        template.set(ObjectClass.secretKey)
        return try token.withSession { (session) throws(PKCS11Error) in try session.find(template, limit: 100).count }
    }
}

/// What an open came to.
enum Opened: Equatable {
    case secret([UInt8])
    case notAuthentic
    case token(PKCS11Error)
    case other
}

extension SealingKey {
    func seal(_ secret: [UInt8], _ associatedData: [UInt8] = [1, 2, 3]) throws -> [UInt8] {
        var blob = [UInt8](repeating: 0, count: sealedSize(of: secret.count))
        try seal(SecretBytes(copying: secret), associatedData, into: &blob, at: 0)
        return blob
    }

    func open(_ sealed: [UInt8], _ associatedData: [UInt8] = [1, 2, 3]) -> Opened {
        do throws(SealError) {
            return .secret(unsafe try open(sealed.span.bytes, associatedData).withBytes { $0.array })
        } catch {
            switch error {
            case .notAuthentic: return .notAuthentic
            case .token(let error): return .token(error)
            case .libcrypto, .memory: return .other
            }
        }
    }
}
