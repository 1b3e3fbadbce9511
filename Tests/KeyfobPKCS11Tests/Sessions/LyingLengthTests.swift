// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Modules that answer lengths which cannot be, or none at all.
@Suite(.lendsTokens) struct LyingLengthTests {
    private let text: [UInt8] = [1, 2, 3, 4, 5]
    private let gcm = Mechanism.aesGCM(iv: [UInt8](repeating: 7, count: 12), aad: [9])

    private func isMalformed(_ body: () throws -> Void) -> Bool {
        if case .malformed = failure(body)?.fault { true } else { false }
    }

    /// One over what the buffer has room for, far over it, and none: the length stays as it was given.
    static let lies: [Int?] = [2000, .max, nil]

    @Test(arguments: lies)
    func `An encryption of a length that cannot be is an error and spoils its session`(length: Int?) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        mock.script(.length(.encrypt, length))
        #expect(isMalformed { _ = unsafe try session.encrypt(gcm, key: key, text.span.bytes) })
        #expect(session.fault == .generalError)
    }

    @Test(arguments: lies)
    func `A decryption of a length that cannot be is an error and spoils its session`(length: Int?) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let sealed = unsafe try session.encrypt(gcm, key: key, text.span.bytes)
        mock.script(.length(.decrypt, length))
        #expect(isMalformed { _ = unsafe try session.decrypt(gcm, key: key, sealed.span.bytes) })
        #expect(session.fault == .generalError)
    }

    @Test(arguments: lies)
    func `A signature of a length that cannot be is an error and spoils its session`(length: Int?) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        var template = Template()
        template.set(ObjectClass.secretKey)
        template.set(KeyType.genericSecret)
        template.set(.valueLength, 32)
        template.set(.token, false)
        template.set(.sign, true)
        let key = try session.generateKey(.genericSecretKeyGeneration, template)
        mock.script(.length(.sign, length))
        #expect(isMalformed { _ = unsafe try session.sign(.sha256HMAC, key: key, text.span.bytes) })
        #expect(session.fault == .generalError)
    }

    @Test(arguments: [20, 22, 5, 0, 2000])
    func `A sealed text that is not sixteen bytes longer is an error`(length: Int) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        mock.script(.length(.encrypt, length))
        #expect(isMalformed { _ = try session.seal(text, key: key) })
        #expect(session.fault == .generalError)
    }

    @Test(arguments: [4, 6, 0, 2000, nil])
    func `An opened text that is not sixteen bytes shorter is an error`(length: Int?) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let sealed = try session.seal(text, key: key)
        mock.script(.length(.decrypt, length))
        #expect(isMalformed { _ = try session.open(sealed, key: key) })
        #expect(session.fault == .generalError)
    }

    @Test(arguments: [9000, .max, nil])
    func `A wrapped key of a length that cannot be is an error`(length: Int?) throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        var wrapping = Template.aesKey()
        wrapping.set(.wrap, true)
        var wrapped = Template.aesKey()
        wrapped.set(.extractable, true)
        let (first, second) = try (
            session.generateKey(.aesKeyGeneration, wrapping), session.generateKey(.aesKeyGeneration, wrapped)
        )
        mock.script(.length(.wrapKey, length))
        #expect(isMalformed { _ = try session.wrapKey(.aesKeyWrapPad, wrapping: first, key: second) })
    }

    @Test func `A search that counts more objects than it was asked for is an error, and is finished`() throws {
        let mock = try MockToken()
        let session = try mock.open().openSession(readWrite: false)
        mock.script(.length(.findObjects, 17))
        #expect(isMalformed { _ = try session.find(.label("x")) })
        #expect(mock.module.calls(of: .findObjectsFinal) == 1)
        #expect(try session.find(.label("x")) == [])
    }

    @Test func `An attribute of more than a mebibyte is an error`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "k"))
        mock.script(.length(.getAttributeValue, 1 << 20 + 1))
        #expect(isMalformed { _ = try session.bytes(of: key, .label) })
    }

    @Test func `An attribute whose length cannot be told is none`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "k"))
        // CK_UNAVAILABLE_INFORMATION
        mock.script(.length(.getAttributeValue, -1))
        #expect(try session.bytes(of: key, .label) == nil)
    }

    @Test func `An attribute that fills more than its buffer is asked again, and is an error in the end`() throws {
        let mock = try MockToken()
        let session = try mock.openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "k"))
        mock.script(.length(.getAttributeValue, 1000, after: 1))
        #expect(try session.bytes(of: key, .label) == [0x6B])
        for _ in 0..<4 { mock.script(.length(.getAttributeValue, 1000, after: 1)) }
        #expect(isMalformed { _ = try session.bytes(of: key, .label) })
    }

    // MARK: - Lists

    @Test func `A list that counts beyond its buffer is an error`() throws {
        let mock = try MockToken()
        let module = try mock.open().module
        mock.script(.length(.getSlotList, 100_000, after: 1))
        #expect(isMalformed { _ = try module.tokens() })
    }

    @Test(arguments: [100_000, Int.max, -1])
    func `A list that claims to be longer than any can be is an error`(count: Int) throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.length(.getSlotList, count), .length(.getMechanismList, count))
        #expect(isMalformed { _ = try token.module.tokens() })
        #expect(isMalformed { _ = try token.mechanisms() })
    }

    @Test func `A list that shrinks between the two calls is as long as it is then`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        let mechanisms = try token.mechanisms()
        mock.script(.length(.getMechanismList, mechanisms.count + 100))
        #expect(try token.mechanisms() == mechanisms)
    }
}
