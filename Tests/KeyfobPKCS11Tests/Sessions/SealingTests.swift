// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct SealingTests {
    private let iv = [UInt8](repeating: 7, count: 12)

    @Test(arguments: [0, 1, 15, 16, 17, 48, 4096, 70_000])
    func `A value of any length sealed on the token opens to what it was`(_ length: Int) throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let sealed = try session.seal(text, key: key)
        #expect(sealed.count == length + 16)
        #expect(try session.open(sealed, key: key) == text)
    }

    @Test func `Associated data may be empty`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        #expect(try session.open(session.seal([1], key: key, aad: []), key: key, aad: []) == [1])
    }

    @Test func `A changed byte, other associated data, another nonce or another key do not open`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let other = try session.generateKey(.aesKeyGeneration, .aesKey())
        let sealed = try session.seal([1, 2, 3], key: key)
        for index in sealed.indices {
            var damaged = sealed
            damaged[index] ^= 1
            #expect(failure { _ = try session.open(damaged, key: key) } != nil, "byte \(index)")
        }
        #expect(failure { _ = try session.open(sealed, key: key, aad: [8]) } != nil)
        #expect(failure { _ = try session.open(sealed, key: key, aad: []) } != nil)
        #expect(failure { _ = try session.open(sealed, key: key, iv: [UInt8](repeating: 8, count: 12)) } != nil)
        #expect(failure { _ = try session.open(sealed, key: other) } != nil)
        #expect(failure { _ = try session.open(Array(sealed.dropLast()), key: key) } != nil)
        #expect(try session.open(sealed, key: key) == [1, 2, 3])
    }

    @Test func `What is shorter than a tag never reaches the token`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let failed = failure { _ = try session.open([UInt8](repeating: 0, count: 15), key: key) }
        #expect(failed?.returnValue?.kind == .dataInvalid)
        #expect(token.calls.calls(of: .decryptInit) == 0)
    }

    @Test func `A session on which opening failed is spoiled`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        _ = failure { _ = try session.open([UInt8](repeating: 0, count: 20), key: key) }
        #expect(session.fault != nil)
    }

    @Test func `A key that is not there is an error that leaves the session good`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let failed = failure { _ = try session.seal([1], key: ObjectHandle(rawValue: 9999)) }
        #expect(failed?.function == "C_EncryptInit")
        #expect(failed?.returnValue?.kind == .objectGone)
        #expect(session.fault == nil)
    }

    @Test func `A small buffer is never tried again`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        plan.fail(.encrypt, with: .bufferTooSmall)
        #expect(failure { _ = try session.seal([1], key: key) }?.returnValue == .bufferTooSmall)
        #expect(token.calls.calls(of: .encrypt) == 1)
        #expect(session.fault == .bufferTooSmall)
    }

    @Test func `The general calls and the fast ones agree`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let text: [UInt8] = [1, 2, 3]
        let mechanism = Mechanism.aesGCM(iv: iv, aad: [9])
        let sealed = unsafe try session.encrypt(mechanism, key: key, text.span.bytes)
        #expect(try session.seal(text, key: key) == sealed)
        let opened = unsafe try session.decrypt(mechanism, key: key, sealed.span.bytes)
        #expect(opened.withBytes { $0.array } == text)
    }

    @Test func `Padded CBC gives back what it was given`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let mechanism = Mechanism.aesCBCPad(iv: [UInt8](repeating: 1, count: 16))
        let text = [UInt8](repeating: 5, count: 33)
        let sealed = unsafe try session.encrypt(mechanism, key: key, text.span.bytes)
        #expect(sealed.count == 48)
        let opened = unsafe try session.decrypt(mechanism, key: key, sealed.span.bytes)
        #expect(opened.withBytes { $0.array } == text)
    }

    @Test func `CBC without padding seals whole blocks only, as long as they are`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let mechanism = Mechanism.aesCBC(iv: [UInt8](repeating: 1, count: 16))
        let text = [UInt8](repeating: 5, count: 48)
        let sealed = unsafe try session.encrypt(mechanism, key: key, text.span.bytes)
        #expect(sealed.count == 48)
        // Each block goes into the next: equal blocks seal to different ones.
        #expect(sealed[..<16] != sealed[16..<32])
        let opened = unsafe try session.decrypt(mechanism, key: key, sealed.span.bytes)
        #expect(opened.withBytes { $0.array } == text)
        let broken = Array(text.dropFirst())
        #expect(failure { _ = unsafe try session.encrypt(mechanism, key: key, broken.span.bytes) } != nil)
    }

    @Test func `A MAC is the same for the same data and another for other data`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        var template = Template()
        template.set(.secretKey)
        template.set(.genericSecret)
        template.set(.valueLength, 32)
        template.set(.token, false)
        template.set(.sign, true)
        let key = try session.generateKey(.genericSecretKeyGeneration, template)
        let first = unsafe try session.sign(.sha256HMAC, key: key, [1, 2].span.bytes).withBytes { $0.array }
        let second = unsafe try session.sign(.sha256HMAC, key: key, [1, 2].span.bytes).withBytes { $0.array }
        let third = unsafe try session.sign(.sha256HMAC, key: key, [1, 3].span.bytes).withBytes { $0.array }
        #expect(first.count == 32)
        #expect(first == second)
        #expect(first != third)
    }

    @Test func `Random bytes are as many as asked and differ`() throws {
        let session = try SoftHSMToken.make().open().openSession(readWrite: false)
        #expect(try session.generateRandom(0) == [])
        let first = try session.generateRandom(32)
        #expect(first.count == 32)
        #expect(try session.generateRandom(32) != first)
    }

    // MARK: - The two shapes of the GCM parameters

    @Test func `SoftHSM reads six fields`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        #expect(try token.probeGCMVariant(key) == .withIVBits)
    }

    @Test func `A module that refuses six fields is probed with five`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        plan.fail(.encryptInit, with: .mechanismParamInvalid)
        // SoftHSM refuses five fields by itself, so with six refused too nothing is left.
        #expect(try token.probeGCMVariant(key) == nil)
        #expect(token.calls.calls(of: .encryptInit) == 2)
    }

    @Test func `A token that goes during the probe is an error and no verdict`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        plan.fail(.encryptInit, with: .deviceRemoved)
        #expect(failure { _ = try token.probeGCMVariant(key) }?.returnValue == .deviceRemoved)
    }

    @Test func `Five fields are what the token gets once that is set`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let keeper = try token.openSession(readWrite: false)
        let key = try keeper.generateKey(.aesKeyGeneration, .aesKey())
        token.setGCMVariant(.withoutIVBits)
        #expect(token.gcmVariant == .withoutIVBits)
        // SoftHSM checks the size of the parameters and refuses five fields.
        let failed = failure {
            _ = try token.withSession { (session) throws(PKCS11Error) in try session.seal([1], key: key) }
        }
        #expect(failed?.returnValue == .argumentsBad)
        token.setGCMVariant(.withIVBits)
        _ = try token.withSession { (session) throws(PKCS11Error) in try session.seal([1], key: key) }
    }
}
