// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Synchronization
import Testing

@testable import KeyfobEngine
@testable import KeyfobVault

/// The key on the token, and what is done with tokens that have none to offer.
@Suite(.lendsTokens) struct PresenceKeyTests {
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

    /// A keychain whose presence key is on the token, and of which the store knows nothing.
    private static func forgotten() throws -> PresenceLab {
        let lab = try PresenceLab()
        lab.keychain.engine.close()
        try StoreEditor(lab.keychain.home.path + "/keychain.db").run("DELETE FROM class_keys WHERE class = 254")
        try lab.keychain.reopen()
        return lab
    }

    @Test func `Unlocking an unlocked keychain without a presence key sends the token no PIN`() throws {
        let lab = try Self.forgotten()
        // The login of an unlock whose presence key could not be made.
        try lab.keychain.engine.core.vault.unlock(lab.keychain.token.pin())
        #expect(try lab.logins { try lab.keychain.engine.unlock(lab.keychain.token.wrongPIN()) } == 0)
        #expect(try lab.keychain.engine.status().triesLeft == .unknown)
        #expect(lab.keychain.engine.core.vault.presenceRecord == nil)
    }

    @Test func `A presence key that several look for is found once`() throws {
        let lab = try Self.forgotten()
        let (vault, token) = (lab.keychain.engine.core.vault, lab.keychain.token)
        try vault.unlock(token.pin())
        let kept = Atomic(0)
        let failed = Atomic(0)
        Threads.run(4) { _ in
            do {
                try vault.findPresenceKey(token.pin()) { _ in
                } keep: { _ in
                    kept.add(1, ordering: .relaxed)
                }
            } catch {
                failed.add(1, ordering: .relaxed)
            }
        }
        #expect(kept.load(ordering: .relaxed) == 1)
        #expect(failed.load(ordering: .relaxed) == 0)
    }

    @Test func `A PIN in another Unicode form opens an item that needs a person`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let (apart, together) = (Array("gehe\u{301}im".utf8), Array("geh\u{E9}im".utf8))
        try lab.keychain.engine.changePIN(
            from: lab.keychain.token.pin(), to: SecretBytes(copying: together))
        for pin in [apart, together] {
            #expect(try lab.value("mail", Credentials(pin: SecretBytes(copying: pin))) == [1, 2, 3])
        }
    }

    @Test func `A login with a PIN in another Unicode form makes the presence key`() throws {
        let lab = try Self.forgotten()
        let apart = try SecretBytes(copying: Array("gehe\u{301}im".utf8))
        try lab.keychain.engine.changePIN(from: lab.keychain.token.pin(), to: apart)
        try lab.keychain.engine.unlock(apart)
        #expect(lab.keychain.engine.core.vault.presenceRecord?.suite != nil)
        #expect(try lab.keychain.engine.status().triesLeft == .unknown)
    }

    @Test func `A PIN with a NUL is not sent for an item that needs a person`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        let pin = [0x31, 0x32, 0x33, 0x34, 0, 0x35] as [UInt8]
        let sent = lab.logins {
            #expect(
                code { _ = try lab.copy("mail", Credentials(pin: SecretBytes(copying: pin))) } == .pinUnsuitable)
        }
        #expect(sent == 0)
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
