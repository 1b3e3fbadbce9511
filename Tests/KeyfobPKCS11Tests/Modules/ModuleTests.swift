// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct ModuleTests {
    @Test func `A file that does not exist cannot be loaded, and the message names it`() {
        let failed = failure { _ = try Module.load(path: "/nonexistent/module.so") }
        guard case .moduleNotLoadable(let path, let message) = failed?.fault else {
            Issue.record("wrong error: \(String(describing: failed))")
            return
        }
        #expect(path == "/nonexistent/module.so")
        #expect(!message.isEmpty)
    }

    @Test func `A library that is no module cannot be loaded`() {
        let failed = failure { _ = try Module.load(path: "/lib/x86_64-linux-gnu/libm.so.6") }
        guard case .moduleNotLoadable = failed?.fault else {
            Issue.record("wrong error: \(String(describing: failed))")
            return
        }
    }

    @Test func `A name that nobody registered is not found`() {
        #expect(failure { _ = try Module.load(name: "no such") }?.fault == .moduleNotRegistered(name: "no such"))
    }

    @Test func `A registered module is found by name`() throws {
        let module = try Module.load(name: "softhsm2")
        #expect(module.name == "softhsm2")
        #expect(try module.info().manufacturer == "SoftHSM")
    }

    @Test func `The registered modules include SoftHSM`() throws {
        let (modules, _) = try Module.registered()
        #expect(modules.contains { $0.name == "softhsm2" })
    }

    @Test func `A module loaded twice works twice, and one that goes leaves the other`() throws {
        let made = try SoftHSMToken.make()
        let first = try Module.load(path: SoftHSM.shared.modulePath)
        do {
            let second = try Module.load(path: SoftHSM.shared.modulePath)
            #expect(try second.tokens().contains { $0.info.label == made.label })
        }
        #expect(try first.tokens().contains { $0.info.label == made.label })
    }

    @Test func `The module says what it is`() throws {
        let info = try SoftHSM.shared.module.info()
        #expect(info.description == "Implementation of PKCS11")
        #expect(info.version == "2.6")
    }

    @Test func `Mechanisms of a token are listed`() throws {
        let token = try SoftHSMToken.make().open()
        let mechanisms = try token.mechanisms()
        #expect(mechanisms.contains(.aesGCM))
        #expect(mechanisms.contains(.aesKeyWrapPad))
        #expect(!mechanisms.contains(.aesKeyWrapKWP))
    }

    @Test func `A list that grows between the two calls is asked again`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let module = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        plan.fail(.getSlotList, with: .bufferTooSmall, after: 1)
        #expect(try module.tokens().contains { $0.info.label == made.label })
        #expect(module.calls.calls(of: .getSlotList) == 4)
    }

    @Test func `A number that could not be told is asked for again`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let module = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        plan.fail(.getSlotList, with: .bufferTooSmall)
        #expect(try module.tokens().contains { $0.info.label == made.label })
        #expect(module.calls.calls(of: .getSlotList) == 3)
    }

    @Test func `A list that never settles is an error`() throws {
        let plan = FaultPlan()
        let module = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        for _ in 0..<8 { plan.fail(.getSlotList, with: .bufferTooSmall, after: 1) }
        guard case .malformed = failure({ _ = try module.tokens() })?.fault else {
            Issue.record("no error")
            return
        }
    }

    @Test func `A slot whose token cannot be asked is left out`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let module = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        let all = try module.tokens().count
        plan.fail(.getTokenInfo, with: .tokenNotPresent)
        // Other tests make tokens at the same time, so the number may grow meanwhile, by far not shrink.
        #expect(try module.tokens().count >= all - 1)
        #expect(try module.tokens().contains { $0.info.label == made.label })
    }

    @Test func `A blank slot is no token`() throws {
        try SoftHSM.shared.withEmptySlot { slot in
            let tokens = try SoftHSM.shared.module.tokens()
            let info = try SoftHSM.shared.module.info(of: slot)
            #expect(!tokens.contains { $0.slot == slot })
            #expect(!info.flags.contains(.tokenInitialized))
        }
    }

    // MARK: - Making tokens

    @Test func `A label may fill its 32 bytes`() throws {
        let label = String(UInt64.random(in: 0 ... .max), radix: 16) + String(repeating: "é", count: 16)
        let made = try SoftHSMToken.make(label: String(decoding: label.utf8.suffix(32), as: UTF8.self), withPIN: false)
        #expect(made.label.utf8.count == 32)
        #expect(try Token.find(made.uri).identity.label == made.label)
    }

    @Test func `Making a token anew empties it`() throws {
        let made = try SoftHSMToken.make()
        do {
            let token = try made.openLoggedIn()
            let session = try token.openSession(readWrite: true)
            _ = try session.generateKey(
                .aesKeyGeneration, .aesKey(token: true, isPrivate: false, label: "old"))
        }
        let slot = try made.open().slot
        let token = try SoftHSM.shared.module.initializeToken(in: slot, label: "anew", soPIN: made.soPIN())
        #expect(token.identity.label == "anew")
        #expect(try token.openSession(readWrite: false).find(.label("old")) == [])
    }

    @Test func `A new token has the label it was given and no user PIN`() throws {
        let made = try SoftHSMToken.make(label: "ä token", withPIN: false)
        let token = try made.open()
        #expect(token.identity.label == "ä token")
        #expect(try !token.info().flags.contains(.userPINInitialized))
    }

    @Test(arguments: [String(repeating: "x", count: 33), String(repeating: "ä", count: 17)])
    func `A label longer than 32 bytes is refused before anything happens`(_ label: String) throws {
        try expectRefusal(of: label)
    }

    @Test func `A label with a NUL is refused before anything happens`() throws {
        try expectRefusal(of: "a\0b")
    }

    private func expectRefusal(of label: String) throws {
        let plan = FaultPlan()
        let module = try Module.load(path: SoftHSM.shared.modulePath, interposer: plan)
        try SoftHSM.shared.withEmptySlot { slot in
            let failed = failure {
                try module.initializeToken(in: slot, label: label, soPIN: SecretBytes(copying: Array("123456".utf8)))
            }
            guard case .malformed = failed?.fault else {
                Issue.record("no error")
                return
            }
        }
        #expect(module.calls.calls(of: .initToken) == 0)
    }

    @Test func `A token in use is not made anew with a wrong SO PIN, which reaches it once`() throws {
        let made = try SoftHSMToken.make()
        let module = try Module.load(path: SoftHSM.shared.modulePath)
        let slot = try made.open().slot
        let failed = failure { try module.initializeToken(in: slot, label: "gone", soPIN: made.pin()) }
        #expect(failed?.returnValue == .pinIncorrect)
        #expect(module.calls.calls(of: .initToken) == 1)
        #expect(try made.open().identity.label == made.label)
    }

    @Test func `An SO PIN of the wrong length never reaches the token`() throws {
        let made = try SoftHSMToken.make()
        let module = try Module.load(path: SoftHSM.shared.modulePath)
        let slot = try made.open().slot
        let failed = failure {
            try module.initializeToken(in: slot, label: "gone", soPIN: SecretBytes(copying: [0x31]))
        }
        #expect(failed?.fault == .pinNotTried(.length(minimum: 4, maximum: 255)))
        #expect(module.calls.calls(of: .initToken) == 0)
    }
}
