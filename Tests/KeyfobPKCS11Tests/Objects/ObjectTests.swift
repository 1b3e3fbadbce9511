// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct ObjectTests {
    private static func data(_ label: String, value: [UInt8] = [1, 2, 3]) -> Template {
        var template = Template()
        template.set(.data)
        template.set(.token, false)
        template.set(.private, false)
        template.set(.label, label)
        template.set(.value, value)
        return template
    }

    @Test func `An object is found by its label, and another is not`() throws {
        let session = try SoftHSMToken.make().open().openSession(readWrite: false)
        let first = try session.createObject(Self.data("first"))
        _ = try session.createObject(Self.data("second"))
        #expect(try session.find(.label("first")) == [first])
        #expect(try session.find(.label("third")) == [])
    }

    @Test func `A search without attributes finds all objects, past one page`() throws {
        let session = try SoftHSMToken.make().open().openSession(readWrite: false)
        for index in 0..<40 { _ = try session.createObject(Self.data("object \(index)")) }
        #expect(try session.find(Template(), limit: 100).count == 40)
    }

    @Test(arguments: [0, 1, 16, 17, 20])
    func `A search stops at its limit`(_ limit: Int) throws {
        let session = try SoftHSMToken.make().open().openSession(readWrite: false)
        for _ in 0..<20 { _ = try session.createObject(Self.data("same")) }
        #expect(try session.find(.label("same"), limit: limit).count == limit)
    }

    @Test func `A session can search again after a search that stopped early`() throws {
        let session = try SoftHSMToken.make().open().openSession(readWrite: false)
        for _ in 0..<3 { _ = try session.createObject(Self.data("same")) }
        #expect(try session.find(.label("same"), limit: 1).count == 1)
        #expect(try session.find(.label("same")).count == 3)
    }

    @Test func `A search that fails on the way is finished all the same`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        let session = try token.openSession(readWrite: false)
        let object = try session.createObject(Self.data("x"))
        plan.fail(.findObjects, with: .generalError)
        #expect(failure { _ = try session.find(.label("x")) }?.function == "C_FindObjects")
        #expect(token.calls.calls(of: .findObjectsFinal) == 1)
        #expect(try session.find(.label("x")) == [object])
        #expect(session.fault == .generalError)
    }

    @Test func `Exactly one object is wanted, and two are an error`() throws {
        let session = try SoftHSMToken.make().open().openSession(readWrite: false)
        #expect(try session.findOne(.label("x")) == nil)
        let object = try session.createObject(Self.data("x"))
        #expect(try session.findOne(.label("x")) == object)
        _ = try session.createObject(Self.data("x"))
        guard case .malformed = failure({ _ = try session.findOne(.label("x")) })?.fault else {
            Issue.record("no error")
            return
        }
    }

    @Test func `A destroyed object is gone`() throws {
        let session = try SoftHSMToken.make().open().openSession(readWrite: false)
        let object = try session.createObject(Self.data("x"))
        try session.destroyObject(object)
        #expect(try session.find(.label("x")) == [])
        #expect(failure { try session.destroyObject(object) }?.returnValue == .objectHandleInvalid)
    }

    @Test func `Session objects die with their session`() throws {
        let token = try SoftHSMToken.make().open()
        let other = try token.openSession(readWrite: false)
        do {
            let session = try token.openSession(readWrite: false)
            _ = try session.createObject(Self.data("mortal"))
            #expect(try other.find(.label("mortal")).count == 1)
        }
        #expect(try other.find(.label("mortal")) == [])
    }

    @Test func `A token object needs a read-write session`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let reader = try token.openSession(readWrite: false)
        let failed = failure { _ = try reader.generateKey(.aesKeyGeneration, .aesKey(token: true)) }
        #expect(failed?.returnValue == .sessionReadOnly)
        #expect(reader.fault == nil)
        let writer = try token.openSession(readWrite: true)
        _ = try writer.generateKey(.aesKeyGeneration, .aesKey(token: true))
    }

    @Test func `A copy differs by the attributes it was given`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(label: "original"))
        let copy = try session.copyObject(key, .label("copy"))
        #expect(copy != key)
        #expect(try session.bytes(of: copy, .label) == Array("copy".utf8))
        #expect(try session.bytes(of: key, .label) == Array("original".utf8))
        #expect(try session.open(session.seal([5], key: key), key: copy) == [5])
    }

    @Test func `An object that may not be copied is not`() throws {
        let session = try SoftHSMToken.make().openLoggedIn().openSession(readWrite: false)
        var template = Template.aesKey()
        template.set(.copyable, false)
        let key = try session.generateKey(.aesKeyGeneration, template)
        #expect(failure { _ = try session.copyObject(key, Template()) }?.returnValue?.kind == .notSupported)
    }
}
