// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobCrypto
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// Keychains on a pair that was on the token before them, as on a card whose keys are made elsewhere.
@Suite(.lendsTokens) struct AdoptedPairTests {
    /// A token that makes no keys.
    private static let makesNone: [MockStep] = [
        .answer(.generateKey, .mechanismInvalid, times: MockStep.forever),
        .answer(.generateKeyPair, .mechanismInvalid, times: MockStep.forever),
    ]
    /// The same, and a logout does not reach it.
    private static let card = makesNone + [.keepLogin(.hidden)]

    private func policy(_ id: [UInt8] = [1], _ suite: Suite? = nil, allowsHostHeld: Bool = true) -> KeyPolicy {
        var policy = KeyPolicy()
        policy.suite = suite
        policy.allowsHostHeld = allowsHostHeld
        policy.objectID = id
        return policy
    }

    /// A vault on the pair 1 of a token that has the usual pairs.
    private func vault(_ suite: Suite = .rsaOAEP, _ habits: [MockStep] = makesNone) throws -> MockVault {
        try MockVault(
            habits, policy: policy(suite == .rsaOAEP ? [1] : [3]), prepare: { try CardPairs.make(on: $0) })
    }

    private func provision(_ policy: KeyPolicy) throws -> KeychainError? {
        let mock = try MockToken()
        try CardPairs.make(on: mock)
        let objects = try mock.objectCount()
        mock.script(Self.makesNone)
        let (keychain, token) = (try Vault.freshUUID(.create), try mock.open())
        let pin = try mock.token.pin()
        let error = fault { () throws(KeychainError) in
            try Provisioner.run(keychain: keychain, token: token, policy, pin: pin, progress: { _ in }, keep: { _ in })
        }
        #expect(try mock.objectCount() == objects && !mock.isLoggedIn())
        return error
    }

    @Test(arguments: [Suite.rsaOAEP, .ecdhP256])
    func `Each class uses the pair, and works in the states of its promise`(suite: Suite) throws {
        let test = try vault(suite)
        for record in test.keys.records {
            let isOnToken = [.whenUnlocked, .whenUnlockedThisDeviceOnly].contains(record.id.accessibility)
            #expect(record.residence == (isOnToken ? .tokenPrivate : .hostHeld), "\(record.id.accessibility)")
            #expect(record.suite == suite && record.material.objectID == (suite == .rsaOAEP ? [1] : [3]))
        }
        try test.vault.unlock(test.mock.token.pin())
        var sealed: [Accessibility: ([UInt8], ItemBinding)] = [:]
        for accessible in Accessibility.allCases {
            let binding = try test.binding(accessible)
            sealed[accessible] = (try test.seal(binding), binding)
        }
        try test.vault.lock()
        for (accessible, (blob, binding)) in sealed {
            let opened = Result { () throws(OpenFailure) in try test.open(blob, binding) }
            #expect(((try? opened.get()) != nil) == (accessible.availability != .whileUnlocked), "\(accessible)")
        }
        let again = try test.reopened()
        for (accessible, (blob, binding)) in sealed {
            let opened = Result { () throws(OpenFailure) in try test.open(blob, binding, in: again) }
            #expect((try? opened.get()) == nil, "\(accessible)")
        }
        try again.unlock(test.mock.token.pin())
        for (accessible, (blob, binding)) in sealed {
            #expect(try test.open(blob, binding, in: again) == [7, 8, 9], "\(accessible)")
        }
    }

    @Test func `The key of the passcode class is opened at each unlock and gone after each lock`() throws {
        let test = try vault().unlocked()
        let id = test.id(.whenPasscodeSetThisDeviceOnly)
        weak var held: ClassKey?
        do { held = try test.vault.classKey(id, .add) }
        #expect(held != nil)
        try test.vault.lock()
        #expect(held == nil)
        #expect(
            fault { () throws(KeychainError) in _ = try test.vault.classKey(id, .add) }?.code == .interactionNotAllowed)
        try test.vault.unlock(test.mock.token.pin())
        _ = try test.vault.classKey(id, .add)
    }

    @Test func `A new PIN by the security officer leaves the passcode class with another key of the same pair`() throws
    {
        let test = try vault().unlocked()
        let binding = try test.binding(.whenPasscodeSetThisDeviceOnly)
        let blob = try test.seal(binding)
        let pin = try test.mock.token.pin()
        try test.vault.initializePIN(
            pin, securityOfficerPIN: test.mock.token.soPIN(), on: LastLock(.explicit, time: 0), destroyItems: {})
        #expect(!test.vault.hasPasscodeKey)
        try test.vault.unlock(pin)
        var kept: KeyRecord?
        try test.vault.renewPasscodeKey(after: 1) { kept = $0 }
        let record = try #require(kept)
        #expect(record.id.generation == 2 && record.residence == .hostHeld && record.material.objectID == [1])
        _ = try test.vault.classKey(record.id, .add)
        #expect(throws: OpenFailure.self) { _ = try test.open(blob, binding) }
    }

    @Test(arguments: [Suite.rsaOAEP, .ecdhP256])
    func `A card that learns nothing of the logout is made to forget, and keys that the host holds stay`(suite: Suite)
        throws
    {
        let test = try vault(suite, Self.card).unlocked()
        let (late, locked) = (try test.binding(.afterFirstUnlock), try test.binding(.whenUnlocked))
        let (lateBlob, lockedBlob) = (try test.seal(late), try test.seal(locked))
        for _ in 1...2 {
            let starts = test.mock.module.calls(of: .initialize)
            try test.vault.lock()
            #expect(test.mock.module.calls(of: .initialize) == starts + 1)
            #expect(test.vault.lockState == .locked)
            #expect(try !test.isLoggedIn())
            #expect(try test.open(lateBlob, late) == [7, 8, 9])
            #expect(throws: OpenFailure.self) { _ = try test.open(lockedBlob, locked) }
            try test.vault.unlock(test.mock.token.pin())
            #expect(try test.open(lockedBlob, locked) == [7, 8, 9])
        }
    }

    @Test func `The pair is proven to be refused after a lock even if nothing has used it`() throws {
        let test = try vault(.rsaOAEP, Self.card).unlocked()
        let starts = test.mock.module.calls(of: .initialize)
        try test.vault.lock()
        #expect(test.mock.module.calls(of: .initialize) == starts + 1)
    }

    @Test func `A logout that failed is proven, too, when it is made up for`() throws {
        let test = try vault(.rsaOAEP, Self.card).unlocked()
        test.mock.script(.answer(.logout, .functionFailed))
        let error = fault { () throws(KeychainError) in try test.vault.lock() }
        #expect(error?.function == "C_Logout")
        let starts = test.mock.module.calls(of: .initialize)
        try test.vault.lock()
        #expect(test.mock.module.calls(of: .initialize) == starts + 1)
        #expect(try !test.isLoggedIn())
    }

    @Test func `A pair that can be taken out by now is not used`() throws {
        let test = try vault().unlocked()
        test.mock.script(.read(.extractable, [1]))
        let error = fault { () throws(KeychainError) in _ = try test.vault.classKey(test.id(.whenUnlocked), .add) }
        #expect(error?.code == .residenceRefused && error?.subject == .classKey(.whenUnlocked))
    }

    @Test func `The pair is not left usable by the end of the keychain, nor by its making`() throws {
        let test = try vault(.rsaOAEP, Self.card)
        #expect(try !test.isLoggedIn())
        try test.vault.unlock(test.mock.token.pin())
        try test.vault.end(LastLock(.explicit, time: 0))
        #expect(try !test.isLoggedIn())
    }

    @Test func `A card that cannot be made to forget is refused by the name of a class`() throws {
        let test = try vault(.rsaOAEP, Self.makesNone).unlocked()
        let other = try test.mock.open()
        test.mock.script(.keepLogin(.hidden))
        let error = fault { () throws(KeychainError) in try test.vault.lock() }
        #expect(error?.code == .residenceRefused)
        #expect(error?.cause == .format(place: "C_Logout", fault: "left the key usable"))
        withExtendedLifetime(other) {}
    }

    @Test func `A card with another pair of the same name is refused before a PIN reaches it`() throws {
        let test = try vault()
        let other = try vault()
        let records = test.keys.records.map { record in
            var material = record.material
            material.publicHalf = other.keys.records[0].material.publicHalf
            return record.with(material)
        }
        let again = try test.reopened(records)
        let pin = try test.mock.token.pin()
        let logins = test.mock.module.calls(of: .login)
        let error = fault { () throws(KeychainError) in try again.unlock(pin) }
        #expect(error?.code == .wrongToken && error?.remedy == .insertToken)
        #expect(test.mock.module.calls(of: .login) == logins)
    }

    @Test func `A card that was pulled is before first unlock when it is back`() throws {
        let test = try vault(.rsaOAEP, Self.makesNone).unlocked()
        let binding = try test.binding(.afterFirstUnlock)
        let blob = try test.seal(binding)
        test.mock.script(.remove())
        test.vault.checkToken()
        #expect(test.vault.lockState == .noToken)
        test.mock.script(.insert)
        let pin = try test.mock.token.pin()
        try test.vault.unlock(pin)
        #expect(test.vault.lockState == .unlocked)
        #expect(try test.open(blob, binding) == [7, 8, 9])
    }

    @Test func `The public half may be told by the certificate alone`() throws {
        let test = try MockVault(
            Self.makesNone, policy: policy([6]), prepare: { try CardPairs.makeCertified(on: $0) }
        ).unlocked()
        let binding = try test.binding()
        #expect(try test.open(test.seal(binding), binding) == [7, 8, 9])
        try test.vault.lock()
        try test.vault.unlock(test.mock.token.pin())
    }

    // MARK: - What is refused

    @Test func `Without the leave for keys that the host holds a pair is refused`() throws {
        let error = try provision(policy(allowsHostHeld: false))
        #expect(error?.code == .residenceRefused && error?.remedy == .allowHostHeld)
    }

    @Test func `A pair that is not there is refused with the list of those that are`() throws {
        let error = try provision(policy([7]))
        #expect(error?.code == .notAvailable && error?.remedy == .giveKeyID)
        guard case .format("key 07", let fault) = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fault.hasPrefix("is no pair of the token, which has "))
        for pair in ["01 (RSA, one)", "02 (RSA, two, PIN at each use)", "03 (EC, three)"] {
            #expect(fault.contains(pair), "\(pair) in: \(fault)")
        }
    }

    @Test(arguments: [
        ([2] as [UInt8], "key 02", "asks for the PIN at each use (CKA_ALWAYS_AUTHENTICATE)"),
        ([4], "key 04", "works without a login (CKA_PRIVATE)"),
        ([5], "key 05", "can be taken out (CKA_EXTRACTABLE)"),
    ])
    func `A pair that could not keep the promise is refused with the reason`(
        id: [UInt8], place: String, fault: String
    ) throws {
        let error = try provision(policy(id))
        #expect(error?.code == .residenceRefused && error?.cause == .format(place: place, fault: fault))
    }

    @Test func `A suite that the pair does not do is refused`() throws {
        #expect(try provision(policy([3], .rsaOAEP))?.code == .unimplemented)
    }

    @Test func `A token that makes no keys says so and names the pairs that it has`() throws {
        var policy = KeyPolicy()
        policy.allowsHostHeld = true
        let error = try provision(policy)
        #expect(error?.code == .unimplemented && error?.remedy == .giveKeyID)
        guard case .format("token", let fault) = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fault.hasPrefix("makes no keys; the pairs that it has are ") && fault.contains("03 (EC, three)"))
    }
}

/// The pairs of a card: 1 RSA, 2 RSA with the PIN at each use, 3 P-256, 4 RSA without a login, 5 RSA that can be taken out.
enum CardPairs {
    static func make(on mock: MockToken) throws {
        let token = try mock.token.openLoggedIn()
        do {
            let session = try token.openSession(readWrite: true)
            try rsa(1, "one", in: session)
            try rsa(2, "two", in: session) { $0.set(.alwaysAuthenticate, true) }
            try rsa(4, "four", isPrivate: false, in: session)
            try rsa(5, "five", isExtractable: true, in: session)
            var publicKey = half(3, "three", isPrivate: false)
            publicKey.set(.ecParameters, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
            var privateKey = half(3, "three", isPrivate: true)
            privateKey.set(.sensitive, true)
            privateKey.set(.extractable, false)
            privateKey.set(.derive, true)
            _ = try session.generateKeyPair(.ecKeyPairGeneration, publicKey: publicKey, privateKey: privateKey)
        }
        try token.logout()
    }

    /// 6: a pair on P-256 whose public half stands in a certificate and nowhere else (made with `openssl req -x509`).
    static func makeCertified(on mock: MockToken) throws {
        let token = try mock.token.openLoggedIn()
        do {
            let session = try token.openSession(readWrite: true)
            var privateKey = half(6, "six", isPrivate: true)
            privateKey.set(ObjectClass.privateKey)
            privateKey.set(KeyType.ec)
            privateKey.set(.sensitive, true)
            privateKey.set(.extractable, false)
            privateKey.set(.derive, true)
            privateKey.set(.ecParameters, [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
            privateKey.set(.value, scalar)
            _ = try session.createObject(privateKey)
            var certificate = half(6, "six", isPrivate: false)
            certificate.set(ObjectClass.certificate)
            certificate.set(AttributeType(rawValue: 0x80), UInt(0))
            certificate.set(AttributeType(rawValue: 0x101), [0x30, 0x00])
            certificate.set(.value, Array(try #require(Data(base64Encoded: Self.certificate))))
            _ = try session.createObject(certificate)
        }
        try token.logout()
    }

    /// A number for tests, known to everybody.
    private static let scalar: [UInt8] = [
        0x25, 0xC5, 0x58, 0x50, 0xCD, 0x40, 0xF3, 0xD2, 0xF8, 0xAC, 0xF0, 0x98, 0xB4, 0x14, 0x37, 0x7E,
        0x6D, 0xC3, 0x2D, 0x7A, 0xCE, 0xC0, 0xB3, 0x9D, 0x3D, 0x68, 0x6B, 0xCD, 0xC7, 0x3E, 0x34, 0x77,
    ]

    private static let certificate =
        "MIIBbDCCAROgAwIBAgIUYjngtt8MI3qR4lAbRVYNs78wYawwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdDAeFw0yNjExMzAx"
        + "MzM1MzJaFw0zNjExMjcxMzM1MzJaMAwxCjAIBgNVBAMMAXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASejTnQO1TDfZLL"
        + "T7ana8r4wmwNtUvVZLtMy+Q1uQVktnfqMn+Vc61lBmfZaRbEw8zLCa6I2Wq9Lg3KlLHr8PeNo1MwUTAdBgNVHQ4EFgQU6AU9"
        + "FVxF/FNJaSyif3w/QiMQ7CowHwYDVR0jBBgwFoAU6AU9FVxF/FNJaSyif3w/QiMQ7CowDwYDVR0TAQH/BAUwAwEB/zAKBggq"
        + "hkjOPQQDAgNHADBEAiB2UtlcSAm/mqC84ynxnMsj4NP3DBB3AFPX3dxgexm9HgIgYaW/taIcMXsFKRT645NLJ/j9tzZ6nx8w"
        + "WbZY1/pv1K4="

    private static func rsa(
        _ id: UInt8, _ label: String, isPrivate: Bool = true, isExtractable: Bool = false,
        in session: borrowing Session, _ change: (inout Template) -> Void = { _ in }
    ) throws {
        var publicKey = half(id, label, isPrivate: false)
        publicKey.set(.modulusBits, UInt(2048))
        publicKey.set(.publicExponent, [1, 0, 1])
        var privateKey = half(id, label, isPrivate: isPrivate)
        privateKey.set(.sensitive, true)
        privateKey.set(.extractable, isExtractable)
        privateKey.set(.decrypt, true)
        change(&privateKey)
        _ = try session.generateKeyPair(.rsaKeyPairGeneration, publicKey: publicKey, privateKey: privateKey)
    }

    private static func half(_ id: UInt8, _ label: String, isPrivate: Bool) -> Template {
        var template = Template()
        template.set(.token, true)
        template.set(.private, isPrivate)
        template.set(.id, [id])
        template.set(.label, label)
        return template
    }
}
