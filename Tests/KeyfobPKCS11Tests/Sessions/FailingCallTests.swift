// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Every call of a session fails, in turn.
@Suite(.lendsTokens) struct FailingCallTests {
    static let functions: [CryptokiFunction] = [
        .getSessionInfo, .createObject, .copyObject, .destroyObject, .getAttributeValue, .setAttributeValue,
        .findObjectsInit, .findObjects, .findObjectsFinal, .encryptInit, .encrypt, .decryptInit, .decrypt, .signInit,
        .sign, .generateKey, .generateKeyPair, .wrapKey, .unwrapKey, .deriveKey, .generateRandom,
    ]

    private func use(_ function: CryptokiFunction, _ session: borrowing Session, _ key: ObjectHandle) throws {
        let text = [UInt8](repeating: 3, count: 32)
        let gcm = Mechanism.aesGCM(iv: [UInt8](repeating: 7, count: 12), aad: [])
        // CKM_AES_CMAC
        let cmac = Mechanism(MechanismType(rawValue: 0x108A))
        switch function {
        case .getSessionInfo: _ = try session.isLoggedIn()
        case .createObject: _ = try session.createObject(Template())
        case .copyObject: _ = try session.copyObject(key, Template())
        case .destroyObject: try session.destroyObject(key)
        case .getAttributeValue: _ = try session.bool(of: key, .sensitive)
        case .setAttributeValue: try session.setAttributes(of: key, .label("new"))
        case .findObjectsInit, .findObjects, .findObjectsFinal: _ = try session.find(.label("x"))
        case .encryptInit, .encrypt: _ = unsafe try session.encrypt(gcm, key: key, text.span.bytes)
        case .decryptInit, .decrypt: _ = unsafe try session.decrypt(gcm, key: key, text.span.bytes)
        case .signInit, .sign: _ = unsafe try session.sign(cmac, key: key, text.span.bytes)
        case .generateKey: _ = try session.generateKey(.aesKeyGeneration, .aesKey())
        case .generateKeyPair:
            _ = try session.generateKeyPair(.rsaKeyPairGeneration, publicKey: Template(), privateKey: Template())
        case .wrapKey: _ = try session.wrapKey(.aesKeyWrapPad, wrapping: key, key: key)
        case .unwrapKey: _ = try session.unwrapKey(.aesKeyWrapPad, unwrapping: key, text, .aesKey())
        case .deriveKey: _ = try session.deriveKey(.ecdh1Derive(point: text), base: key, .aesKey())
        default: _ = try session.generateRandom(1)
        }
    }

    private func key(_ session: borrowing Session) throws -> ObjectHandle {
        var template = Template.aesKey()
        template.set(.sign, true)
        return try session.generateKey(.aesKeyGeneration, template)
    }

    @Test(arguments: functions)
    func `A call that fails is told by name, value and token, and spoils its session`(
        function: CryptokiFunction
    ) throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try key(session)
        mock.script(.answer(function, .deviceError))
        let failed = failure { try use(function, session, key) }
        #expect(failed == PKCS11Error(function: function.name, returnValue: .deviceError, token: token.identity))
        #expect(session.fault == .deviceError)
    }

    @Test(arguments: functions)
    func `A value that no standard names keeps its number`(function: CryptokiFunction) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try key(session)
        let value = ReturnValue(rawValue: 0x8000_1234)
        mock.script(.answer(function, value))
        #expect(failure { try use(function, session, key) }?.returnValue == value)
        #expect(session.fault == value)
    }

    /// Init calls and single ones: a refusal comes before anything is begun.
    @Test(arguments: functions.filter { ![.encrypt, .decrypt, .sign].contains($0) })
    func `A call that is refused leaves its session good`(function: CryptokiFunction) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try key(session)
        mock.script(.answer(function, .functionNotSupported))
        #expect(failure { try use(function, session, key) }?.returnValue == .functionNotSupported)
        #expect(session.fault == nil)
    }

    /// Whether a refused second call ends the operation depends on the module.
    @Test(arguments: [CryptokiFunction.encrypt, .decrypt, .sign])
    func `The second call of an operation spoils its session even by a refusal`(function: CryptokiFunction) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try key(session)
        mock.script(.answer(function, .bufferTooSmall))
        #expect(failure { try use(function, session, key) }?.returnValue == .bufferTooSmall)
        #expect(session.fault == .bufferTooSmall)
        #expect(mock.module.calls(of: function) == 1)
    }

    @Test func `A session that cannot be opened is told, and none is left open`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.openSession, .deviceMemory))
        let failed = failure { _ = try token.openSession(readWrite: true) }
        #expect(failed?.function == "C_OpenSession" && failed?.returnValue == .deviceMemory)
        mock.script(.answer(.getTokenInfo, .deviceError))
        #expect(failure { _ = try token.openSession(readWrite: true) }?.function == "C_GetTokenInfo")
        #expect(mock.module.calls(of: .closeSession) == 1)
    }

    @Test func `What the module says to the closing of a session changes nothing`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.closeSession, .deviceError))
        do { _ = try token.openSession(readWrite: false) }
        #expect(mock.module.calls(of: .closeSession) == 1)
        _ = try token.openSession(readWrite: false).generateRandom(1)
    }
}
