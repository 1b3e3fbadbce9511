// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct AttributeTests {
    @Test func `Attributes of each type are read as they were set`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        var template = Template.aesKey(label: "ä label")
        template.set(.id, [1, 0, 2])
        let key = try session.generateKey(.aesKeyGeneration, template)
        #expect(try session.bytes(of: key, .label) == Array("ä label".utf8))
        #expect(try session.bytes(of: key, .id) == [1, 0, 2])
        #expect(try session.ulong(of: key, .class) == ObjectClass.secretKey.rawValue)
        #expect(try session.ulong(of: key, .keyType) == KeyType.aes.rawValue)
        #expect(try session.ulong(of: key, .valueLength) == 32)
        #expect(try session.bool(of: key, .sensitive) == true)
        #expect(try session.bool(of: key, .extractable) == false)
    }

    @Test func `An attribute that the object does not have is nil`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        #expect(try session.bytes(of: key, .modulus) == nil)
        #expect(try session.bool(of: key, .alwaysAuthenticate) == nil)
    }

    @Test func `The value of a sensitive key is nil`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        #expect(try session.bytes(of: key, .value) == nil)
    }

    @Test func `An empty attribute is empty and not nil`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        #expect(try session.bytes(of: key, .label) == [])
    }

    @Test func `A long attribute is read whole`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let id = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        var template = Template.aesKey()
        template.set(.id, id)
        let key = try session.generateKey(.aesKeyGeneration, template)
        #expect(try session.bytes(of: key, .id) == id)
    }

    @Test func `An attribute that grows between the two calls is asked again`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "x"))
        plan.fail(.getAttributeValue, with: .bufferTooSmall, after: 1)
        #expect(try session.bytes(of: key, .label) == [0x78])
        #expect(token.calls.calls(of: .getAttributeValue) == 4)
        #expect(session.fault == nil)
    }

    @Test func `An attribute that never settles is an error`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        for _ in 0..<4 { plan.fail(.getAttributeValue, with: .bufferTooSmall, after: 1) }
        guard case .malformed = failure({ _ = try session.bytes(of: key, .label) })?.fault else {
            Issue.record("no error")
            return
        }
    }

    @Test func `Reading an attribute in the wrong shape is an error`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "abc"))
        guard case .malformed = failure({ _ = try session.bool(of: key, .label) })?.fault else {
            Issue.record("no error")
            return
        }
        guard case .malformed = failure({ _ = try session.ulong(of: key, .label) })?.fault else {
            Issue.record("no error")
            return
        }
    }

    @Test func `A handle that names nothing is an error`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let failed = failure { _ = try session.bytes(of: ObjectHandle(rawValue: 9999), .label) }
        #expect(failed?.returnValue == .objectHandleInvalid)
    }

    @Test func `A label is changed`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "old"))
        try session.setAttributes(of: key, .label("new"))
        #expect(try session.bytes(of: key, .label) == Array("new".utf8))
    }

    @Test func `A sensitive key is not made readable again`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        var template = Template()
        template.set(.extractable, true)
        #expect(failure { try session.setAttributes(of: key, template) }?.returnValue?.kind == .notSupported)
    }

    // MARK: - Templates

    @Test func `A template without an attribute keeps the others in order`() {
        var template = Template()
        template.set(.label, "abc")
        template.set(.copyable, false)
        template.set(.valueLength, 32)
        var wanted = Template()
        wanted.set(.label, "abc")
        wanted.set(.valueLength, 32)
        #expect(template.without(.copyable) == wanted)
        #expect(template.without(.id) == template)
        #expect(template.count == 3)
    }

    @Test func `Templates differ by a value`() {
        #expect(Template.label("a") != .label("b"))
        #expect(Template.label("a") == .label("a"))
    }
}
