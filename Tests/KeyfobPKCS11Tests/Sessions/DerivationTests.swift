// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Key pairs on P-256, their public halves, and what is derived with them.
@Suite(.lendsTokens) struct DerivationTests {
    private struct Pair {
        let publicKey: ObjectHandle
        let privateKey: ObjectHandle
        let point: [UInt8]
    }

    private static func makePair(_ session: borrowing Session) throws -> Pair {
        var publicKey = Template()
        publicKey.set(.token, false)
        publicKey.set(.ecParameters, P256Point.parameters)
        var privateKey = Template()
        privateKey.set(.token, false)
        privateKey.set(.private, true)
        privateKey.set(.sensitive, true)
        privateKey.set(.derive, true)
        let pair = try session.generateKeyPair(.ecKeyPairGeneration, publicKey: publicKey, privateKey: privateKey)
        let point = try #require(try session.p256Point(of: pair.publicKey))
        return Pair(publicKey: pair.publicKey, privateKey: pair.privateKey, point: point)
    }

    private static func derived(sensitive: Bool = false, length: UInt = 32) -> Template {
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.genericSecret)
        template.set(.token, false)
        template.set(.private, false)
        template.set(.sensitive, sensitive)
        template.set(.extractable, !sensitive)
        template.set(.valueLength, length)
        return template
    }

    /// How many derived objects the token has, by a look at all of its sessions.
    private static func leftovers(_ token: Token) throws -> Int {
        var template = Template()
        template.set(ObjectClass.secretKey)
        return try token.withSession { (session) throws(PKCS11Error) in try session.find(template).count }
    }

    @Test func `Both sides derive the same secret, by raw points and by points in DER`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let (first, second) = (try Self.makePair(session), try Self.makePair(session))
        let template = Self.derived()
        let shared = try session.derivedSecret(
            .ecdh1Derive(point: second.point), base: first.privateKey, template, size: 32)
        let other = try session.derivedSecret(
            .ecdh1Derive(point: P256Point.der(first.point)), base: second.privateKey, template, size: 32)
        #expect(shared.withBytes { $0.array } == other.withBytes { $0.array })
        #expect(shared.count == 32)
        #expect(shared.withBytes { $0.array } != [UInt8](repeating: 0, count: 32))
    }

    @Test func `A derived key that is kept is an object of the token`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let pair = try Self.makePair(session)
        let key = try session.deriveKey(.ecdh1Derive(point: pair.point), base: pair.privateKey, Self.derived())
        #expect(try session.ulong(of: key, .keyType) == KeyType.genericSecret.rawValue)
        #expect(try session.secret(of: key, .value, atMost: 32)?.count == 32)
    }

    @Test func `A derived secret costs three calls and leaves no object`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let pair = try Self.makePair(session)
        let before = token.calls.total
        _ = try session.derivedSecret(.ecdh1Derive(point: pair.point), base: pair.privateKey, Self.derived(), size: 32)
        #expect(token.calls.total - before == 3)
        #expect(try Self.leftovers(token) == 0)
    }

    @Test func `A derived secret that cannot be read is an error that leaves no object`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let pair = try Self.makePair(session)
        let failed = failure {
            _ = try session.derivedSecret(
                .ecdh1Derive(point: pair.point), base: pair.privateKey, Self.derived(sensitive: true), size: 32)
        }
        guard case .malformed = failed?.fault else {
            Issue.record("no error")
            return
        }
        #expect(try Self.leftovers(token) == 0)
    }

    @Test func `A derived secret of another size is an error that leaves no object`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let pair = try Self.makePair(session)
        for length in [16, 31] as [UInt] {
            let failed = failure {
                _ = try session.derivedSecret(
                    .ecdh1Derive(point: pair.point), base: pair.privateKey, Self.derived(length: length), size: 32)
            }
            guard case .malformed = failed?.fault else {
                Issue.record("no error for \(length) bytes")
                return
            }
        }
        #expect(try Self.leftovers(token) == 0)
    }

    @Test func `An error while the secret is read leaves no object`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let session = try token.openSession(readWrite: false)
        let pair = try Self.makePair(session)
        plan.fail(.getAttributeValue, with: .deviceError)
        let failed = failure {
            _ = try session.derivedSecret(
                .ecdh1Derive(point: pair.point), base: pair.privateKey, Self.derived(), size: 32)
        }
        #expect(failed?.function == "C_GetAttributeValue")
        #expect(token.calls.calls(of: .destroyObject) == 1)
        #expect(try Self.leftovers(token) == 0)
    }

    @Test func `An object that the token does not destroy goes with its session`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let keeper = try token.openSession(readWrite: false)
        let pair = try Self.makePair(keeper)
        plan.fail(.destroyObject, with: .functionNotSupported)
        let before = token.calls.calls(of: .closeSession)
        let count = try token.withSession { (session) throws(PKCS11Error) in
            let secret = try session.derivedSecret(
                .ecdh1Derive(point: pair.point), base: pair.privateKey, Self.derived(), size: 32)
            return secret.count
        }
        #expect(count == 32)
        #expect(token.calls.calls(of: .closeSession) - before == 1)
        #expect(try Self.leftovers(token) == 0)
    }

    @Test func `A point that is none is refused by the token`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let pair = try Self.makePair(session)
        let failed = failure {
            _ = try session.deriveKey(
                .ecdh1Derive(point: [4] + [UInt8](repeating: 1, count: 64)), base: pair.privateKey, Self.derived())
        }
        #expect(failed?.function == "C_DeriveKey")
    }

    // MARK: - Secret attributes

    @Test func `A secret attribute that is hidden or missing is nil`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        #expect(try session.secret(of: key, .value, atMost: 32) == nil)
        #expect(try session.secret(of: key, .modulus, atMost: 32) == nil)
    }

    @Test(arguments: [41, 48, Int.max])
    func `A secret attribute that is longer than it may be is an error`(length: Int) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        var template = Template.aesKey(label: "k")
        template = template.without(.sensitive).without(.extractable)
        template.set(.sensitive, false)
        template.set(.extractable, true)
        let key = try session.generateKey(.aesKeyGeneration, template)
        #expect(try session.secret(of: key, .value, atMost: 32)?.count == 32)
        mock.script(.length(.getAttributeValue, length))
        guard case .malformed = failure({ _ = try session.secret(of: key, .value, atMost: 32) })?.fault else {
            Issue.record("no error")
            return
        }
    }

    @Test func `A module that says no length of a secret attribute is not believed`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "k"))
        mock.script(.length(.getAttributeValue, nil))
        guard case .malformed = failure({ _ = try session.secret(of: key, .label, atMost: 32) })?.fault else {
            Issue.record("no error")
            return
        }
        // CK_UNAVAILABLE_INFORMATION
        mock.script(.length(.getAttributeValue, -1))
        #expect(try session.secret(of: key, .label, atMost: 32) == nil)
    }

    // MARK: - Public halves

    @Test func `The public half of a pair on P-256 is 65 bytes`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let (first, second) = (try Self.makePair(session), try Self.makePair(session))
        #expect(first.point.count == 65 && first.point[0] == 4)
        #expect(first.point != second.point)
    }

    @Test func `A point that the token tells raw is the same`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let pair = try Self.makePair(session)
        mock.script(.read(.ecPoint, pair.point))
        #expect(try session.p256Point(of: pair.publicKey) == pair.point)
        mock.script(.read(.ecPoint, [4] + pair.point))
        #expect(try session.p256Point(of: pair.publicKey) == pair.point)
    }

    @Test func `A point of another curve is an error, and none is nil`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try Self.makePair(session).publicKey
        mock.script(.read(.ecPoint, [4, 97, 4] + [UInt8](repeating: 1, count: 96)))
        guard case .malformed = failure({ _ = try session.p256Point(of: key) })?.fault else {
            Issue.record("no error")
            return
        }
        let aes = try session.generateKey(.aesKeyGeneration, .aesKey())
        mock.module.reset()
        #expect(try session.p256Point(of: aes) == nil)
    }

    @Test func `The numbers of an RSA pair are told by its private half, without leading zeros`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        var publicKey = Template()
        publicKey.set(.modulusBits, 2048)
        publicKey.set(.publicExponent, [1, 0, 1])
        let pair = try session.generateKeyPair(.rsaKeyPairGeneration, publicKey: publicKey, privateKey: Template())
        let told = try #require(try session.rsaNumbers(of: pair.privateKey))
        #expect(told.modulus.count == 256 && told.modulus[0] >= 0x80)
        #expect(told.exponent == [1, 0, 1])
        mock.script(.read(.publicExponent, [0, 1, 0, 1]), .read(.modulus, [0, 0, 0xC5, 0]))
        let again = try #require(try session.rsaNumbers(of: pair.privateKey))
        #expect(again.modulus == [0xC5, 0] && again.exponent == [1, 0, 1])
        let aes = try session.generateKey(.aesKeyGeneration, .aesKey())
        mock.module.reset()
        #expect(try session.rsaNumbers(of: aes) == nil)
    }
}
