// SPDX-License-Identifier: Apache-2.0
import Foundation
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// That the mock module does what it is told; what Keyfob makes of it is tested where the branches are.
@Suite(.lendsTokens) struct MockModuleTests {
    private func random(_ token: Token) -> PKCS11Error? {
        failure { _ = try token.withSession { (session) throws(PKCS11Error) in try session.generateRandom(1) } }
    }

    @Test func `Without a script the token works as it is`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        #expect(token.isLoggedIn)
        #expect(random(token) == nil)
        #expect(mock.module.calls(of: .login) == 1)
    }

    @Test func `The third call and the fourth fail, the others do not`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.generateRandom, .deviceMemory, after: 2, times: 2))
        let values = (0..<5).map { _ in random(token)?.returnValue }
        #expect(values == [nil, nil, .deviceMemory, .deviceMemory, nil])
    }

    @Test func `A call fails for ever, until a reset`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.generateRandom, .randomNoRNG, times: MockStep.forever))
        for _ in 0..<10 { #expect(random(token)?.returnValue == .randomNoRNG) }
        mock.module.reset()
        #expect(random(token) == nil)
    }

    @Test func `What one test scripts happens to no other`() throws {
        let (first, second) = (try MockToken(), try MockToken())
        first.script(.answer(nil, .generalError, times: MockStep.forever))
        #expect(random(try second.open()) == nil)
        #expect(failure { _ = try first.open() }?.returnValue == .generalError)
    }

    @Test func `Of two tokens behind one module only the one that is named fails`() throws {
        let mock = try MockToken()
        let other = try SoftHSMToken.make()
        let token = try mock.open()
        let neighbour = try Token.find(other.uri, in: [Module.load(path: mock.module.path)])
        mock.script(.token(mock.token.label), .answer(.generateRandom, .deviceError, times: MockStep.forever))
        #expect(random(token)?.returnValue == .deviceError)
        #expect(random(neighbour) == nil)
    }

    @Test func `A call hangs until it is released`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.hang(.generateRandom))
        let call = Background { try token.withSession { (s) throws(PKCS11Error) in try s.generateRandom(3).count } }
        #expect(mock.module.waitForHang())
        #expect(random(token) == nil)
        mock.script(.release)
        #expect(try call.value() == 3)
    }

    @Test func `A call is late by the time that was told`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.sleep(.generateRandom, milliseconds: 50))
        let start = ContinuousClock.now
        #expect(random(token) == nil)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test(arguments: [ReturnValue.deviceRemoved, .tokenNotPresent, .sessionHandleInvalid])
    func `A token that was pulled is in no list, and its sessions say so`(value: ReturnValue) throws {
        let mock = try MockToken()
        let token = try mock.open()
        let session = try token.openSession(readWrite: false)
        mock.script(.remove(value))
        #expect(failure { _ = try session.generateRandom(1) }?.returnValue == value)
        #expect(failure { _ = try token.info() }?.returnValue == .tokenNotPresent)
        #expect(try !token.module.tokens().contains { $0.info.label == mock.token.label })
    }

    @Test func `A token that is back is logged out, and its old sessions are dead`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        let session = try token.openSession(readWrite: false)
        mock.script(.remove(), .insert)
        #expect(failure { _ = try session.generateRandom(1) }?.returnValue == .sessionHandleInvalid)
        #expect(try !token.openSession(readWrite: false).isLoggedIn())
    }

    @Test func `A fail-over ends sessions and login once`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        let session = try token.openSession(readWrite: false)
        mock.script(.failOver)
        #expect(failure { _ = try session.isLoggedIn() }?.returnValue == .sessionHandleInvalid)
        let next = try token.openSession(readWrite: false)
        #expect(try !next.isLoggedIn())
    }

    @Test func `A finalised module answers nothing until it is initialised`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.finalize)
        #expect(random(token)?.returnValue == .cryptokiNotInitialized)
        #expect(failure { _ = try token.module.info() }?.returnValue == .cryptokiNotInitialized)
        _ = try token.module.reinitialize()
        #expect(random(token) == nil)
    }

    @Test func `Flags, PIN lengths and texts of the token are those that were told`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.flags(set: [.userPINLocked], clear: [.userPINInitialized]), .pinLength(6...9))
        let info = try token.info()
        #expect(info.flags.contains(.userPINLocked) && !info.flags.contains(.userPINInitialized))
        #expect(info.takesPIN(ofLength: 9) && !info.takesPIN(ofLength: 10) && !info.takesPIN(ofLength: 5))
        mock.script(.showLabel("another one"), .showSerial("7"))
        let found = try token.module.tokens().first { $0.slot == token.slot }
        #expect(found?.info.label == "another one" && found?.info.serial == "7")
    }

    @Test func `A PIN entered on the device logs in, and counts as one call`() throws {
        let mock = try MockToken()
        try mock.enterPINOnDevice()
        let token = try mock.open()
        #expect(try token.info().flags.contains(.protectedAuthenticationPath))
        try token.loginProtected()
        #expect(token.isLoggedIn)
        #expect(mock.module.calls(of: .login) == 1)
    }

    @Test func `An attribute reads as told, and none is there if none was told`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        mock.script(.read(.sensitive, [0], times: 2), .read(.label, nil))
        #expect(try session.bool(of: key, .sensitive) == false)
        #expect(try session.bool(of: key, .sensitive) == true)
        #expect(try session.bytes(of: key, .label) == nil)
    }

    @Test(arguments: [true, false])
    func `A token that overlooks CKA_ALWAYS_AUTHENTICATE says what it was told`(answer: Bool) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        // SoftHSM refuses the attribute on a secret key, so the key shows that it was overlooked.
        var template = Template.aesKey()
        template.set(.alwaysAuthenticate, true)
        #expect(failure { _ = try session.generateKey(.aesKeyGeneration, template) } != nil)
        mock.script(MockStep.ignoresAlwaysAuthenticate(saying: answer))
        let key = try session.generateKey(.aesKeyGeneration, template)
        #expect(try session.bool(of: key, .alwaysAuthenticate) == answer)
    }

    @Test func `A token that makes no public objects refuses copies of public keys`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(isPrivate: false))
        var change = Template()
        change.set(.private, false)
        _ = try session.copyObject(key, change)
        mock.script(MockStep.refusesPublicObjects)
        #expect(failure { _ = try session.copyObject(key, change) }?.returnValue == .templateInconsistent)
    }

    @Test func `A key whose token keeps the login is usable after the logout`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        let session = try token.openSession(readWrite: true)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(token: true, label: "kept"))
        mock.script(.keepLogin(.hidden))
        try token.logout()
        #expect(!token.isLoggedIn)
        _ = try session.seal([1], key: key)
        #expect(try session.find(.label("kept")) == [])
        try token.login(mock.token.pin())
        #expect(try session.find(.label("kept")).count == 1)
    }

    @Test func `A public copy outlives the logout, and the private key does not`() throws {
        let mock = try MockToken()
        mock.script(.keepLogin(.copies))
        let token = try mock.openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        var change = Template()
        change.set(.private, false)
        let copy = try session.copyObject(key, change)
        #expect(try session.bool(of: copy, .private) == false)
        try token.logout()
        _ = try session.seal([1], key: copy)
        #expect(failure { _ = try session.seal([1], key: key) }?.returnValue == .keyHandleInvalid)
    }

    @Test func `A program is scripted by a file, which is read again when it changes`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/keyfob-script-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = MockScriptFile(folder + "/script")
        #expect(file.environment == ["KEYFOB_MOCK_SCRIPT": folder + "/script"])
        try file.write(file.logs, .answer(.login, .pinLocked))
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(text == "log \(file.logPath)\nanswer C_Login 164 after=0 times=1\n")
        #expect(file.calls(of: "C_Login") == 0)
    }
}
