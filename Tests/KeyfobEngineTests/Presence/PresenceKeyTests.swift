// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@testable import KeyfobVault

/// The key on the token, and what is done with tokens that have none to offer.
@Suite struct PresenceKeyTests {
    private static func privateKeys(_ lab: PresenceLab) throws -> [ObjectHandle] {
        let token = try lab.keychain.token.openLoggedIn()
        var search = Template()
        search.set(ObjectClass.privateKey)
        return try token.openSession(readWrite: false).find(search, limit: 10)
    }

    @Test func `The first login makes one key, and later ones none`() throws {
        let lab = try PresenceLab()
        #expect(try Self.privateKeys(lab).count == 1)
        try lab.keychain.engine.lock()
        try lab.keychain.unlocked()
        try lab.keychain.reopen()
        try lab.keychain.unlocked()
        #expect(try Self.privateKeys(lab).count == 1)
        #expect((lab.keychain.engine.tokenCalls["C_GenerateKeyPair"] ?? 0) == 0)
    }

    @Test func `The token refuses the raw key without the PIN, even while logged in`() throws {
        let lab = try PresenceLab()
        let token = try lab.keychain.token.openLoggedIn()
        let session = try token.openSession(readWrite: false)
        var search = Template()
        search.set(ObjectClass.privateKey)
        let key = try #require(try session.find(search, limit: 2).first)
        let modulus = try #require(try session.bytes(of: key, .modulus))
        let sealed = [UInt8](repeating: 0, count: modulus.count - 1) + [2]
        let failed = #expect(throws: PKCS11Error.self) {
            _ = unsafe try session.decrypt(.rsaOAEP(.sha1), key: key, sealed.span.bytes)
        }
        #expect(failed?.function == "C_Decrypt")
        #expect(failed?.returnValue?.kind == .notLoggedIn)
    }

    @Test func `The raw key decrypts and does nothing else, cannot be read, and cannot be copied without its question`()
        throws
    {
        let lab = try PresenceLab()
        let token = try lab.keychain.token.openLoggedIn()
        let session = try token.openSession(readWrite: true)
        let name = try KeyName(presenceKeyOf: lab.keychain.engine.status().keychain, generation: 1)
        let key = try #require(try session.find(PresenceKeyTemplate.search(name), limit: 2).first)
        #expect(try session.bytes(of: key, .label) == Array(name.label.utf8))
        for attribute in [AttributeType.extractable, .sign, .unwrap, .derive] {
            #expect(try session.bool(of: key, attribute) == false)
        }
        for attribute in [AttributeType.alwaysAuthenticate, .private, .token, .sensitive, .decrypt] {
            #expect(try session.bool(of: key, attribute) == true)
        }
        var weaker = Template()
        weaker.set(.token, false)
        weaker.set(.alwaysAuthenticate, false)
        #expect(throws: PKCS11Error.self) { _ = try session.copyObject(key, weaker) }
    }

    @Test func `A token that says it asks for the PIN and does not gets no key, and such items are refused`() throws {
        let lab = try PresenceLab.onTokenThatDoesNotAsk()
        let error = #expect(throws: KeychainError.self) { try lab.add("mail") }
        #expect(error?.code == .unimplemented)
        #expect(error?.cause != nil)
        #expect(try Self.privateKeys(lab).isEmpty)
        // Everything else works, and nothing is tried again.
        try lab.add("news", flags: 0)
        #expect(try lab.value("news", nil) == [1, 2, 3])
        try lab.add("post", flags: PresenceLab.password, lab.password("open sesame"))
        try lab.keychain.reopen()
        try lab.keychain.unlocked()
        #expect((lab.keychain.engine.tokenCalls["C_GenerateKeyPair"] ?? 0) == 0)
        #expect(code { try lab.add("mail") } == .unimplemented)
    }

    @Test func `A keychain that was made without a key gets it at the next login`() throws {
        let keychain = try TestKeychain().unlocked()
        let control = AccessControl(protection: .whenUnlocked, flags: PresenceLab.presence, hasRules: true)
        let add = { (name: String) in
            _ = try keychain.service().add(
                AddRequest(itemClass: .genericPassword, attributes: [.service: .text(name)], accessControl: control))
        }
        #expect(code { try add("mail") } == .unimplemented)
        try keychain.setPresence(true)
        try keychain.reopen()
        try keychain.unlocked()
        try add("mail")
    }

    @Test func `A key that a try left on the token is taken`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        lab.keychain.engine.close()
        try StoreEditor(lab.keychain.home.path + "/keychain.db").run("DELETE FROM class_keys WHERE class = 254")
        try lab.keychain.reopen()
        try lab.keychain.unlocked()
        #expect(try Self.privateKeys(lab).count == 1)
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
    }

    @Test func `A public half that was changed in the store seals nothing`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        lab.keychain.engine.close()
        try StoreEditor(lab.keychain.home.path + "/keychain.db")
            .flip("metadata_key", of: "class_keys", where: "class = 254")
        try lab.keychain.reopen()
        try lab.keychain.unlocked()
        #expect(code { try lab.add("news") } == .storeDamaged)
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
    }

    @Test func `Items are left alone when the key is gone from the token`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        do {
            let session = try lab.keychain.token.openLoggedIn().openSession(readWrite: true)
            var search = Template()
            search.set(ObjectClass.privateKey)
            for key in try session.find(search, limit: 10) { try session.destroyObject(key) }
        }
        #expect(code { _ = try lab.copy("mail", lab.pin()) } == .notAvailable)
        #expect(try lab.keychain.engine.verify().findings.isEmpty)
    }

    @Test(arguments: [
        AccessControl.Constraint.biometryAny, .biometryCurrentSet, .companion, .privateKeyUsage,
    ])
    func `What the token cannot ask for is refused with the reason`(constraint: AccessControl.Constraint) throws {
        let lab = try PresenceLab()
        let error = #expect(throws: KeychainError.self) { try lab.add("mail", flags: constraint.rawValue) }
        #expect(error?.code == .unimplemented)
        #expect(error?.cause != nil)
    }

    @Test func `Of constraints that are joined by or, one that can be honoured is enough`() throws {
        let lab = try PresenceLab()
        let (any, passcode) = (AccessControl.Constraint.biometryAny, AccessControl.Constraint.devicePasscode)
        try lab.add("mail", flags: any.rawValue | passcode.rawValue | AccessControl.Constraint.or.rawValue)
        #expect(code { _ = try lab.copy("mail") } == .presenceRequired)
        #expect(try lab.value("mail", lab.pin()) == [1, 2, 3])
        let both = any.rawValue | passcode.rawValue
        #expect(code { try lab.add("news", flags: both) } == .unimplemented)
        #expect(code { try lab.add("news", flags: both | AccessControl.Constraint.and.rawValue) } == .unimplemented)
    }

    @Test func `The last try is never spent at an item`() throws {
        let mock = try MockToken()
        let lab = try PresenceLab(on: mock)
        try lab.add("mail")
        let (right, wrong) = (try lab.pin(), try lab.wrongPIN())
        #expect(code { _ = try lab.copy("mail", wrong) } == .pinIncorrect)
        mock.script(.flags(set: .userPINFinalTry))
        let logins = lab.logins { #expect(code { _ = try lab.copy("mail", right) } == .pinFinalTry) }
        #expect(logins == 0)
    }

    @Test func `Status says whether the token asks`() throws {
        let asks = try PresenceLab()
        #expect(try asks.keychain.engine.status().presence == .enforced)
        let ignores = try PresenceLab.onTokenThatDoesNotAsk()
        #expect(try ignores.keychain.engine.status().presence == .refused)
    }

    @Test func `A token with a pin pad asks itself, and honours biometry`() throws {
        let mock = try MockToken()
        try mock.enterPINOnDevice()
        let lab = try PresenceLab(on: mock)
        try lab.add("mail", flags: AccessControl.Constraint.biometryAny.rawValue)
        var value: [UInt8]?
        let logins = try lab.logins { value = try lab.value("mail", nil) }
        #expect(value == [1, 2, 3])
        #expect(logins == 1)
        let current = AccessControl.Constraint.biometryCurrentSet.rawValue
        #expect(code { try lab.add("news", flags: current) } == .unimplemented)
    }
}
