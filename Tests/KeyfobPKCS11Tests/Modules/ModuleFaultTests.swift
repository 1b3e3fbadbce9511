// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Modules that do not start, do not end, or do not answer.
@Suite(.lendsTokens) struct ModuleFaultTests {
    @Test func `A module that does not start is told, and may start the next time`() throws {
        let mock = try MockModule()
        mock.script(.answer(.initialize, .deviceError))
        let failed = failure { _ = try Module.load(path: mock.path) }
        #expect(failed?.function == "C_Initialize" && failed?.returnValue == .deviceError)
        #expect(try Module.load(path: mock.path).info().manufacturer == "SoftHSM")
    }

    @Test func `A module that does not end well is let go, and can be loaded again`() throws {
        let mock = try MockModule()
        mock.script(.answer(.finalize, .functionFailed))
        do { _ = try Module.load(path: mock.path) }
        #expect(mock.calls(of: .finalize) == 1)
        #expect(try Module.load(path: mock.path).info().manufacturer == "SoftHSM")
    }

    @Test func `A new start that fails is told`() throws {
        let mock = try MockModule()
        let module = try Module.load(path: mock.path)
        mock.script(.answer(.initialize, .hostMemory))
        #expect(failure { _ = try module.reinitialize() }?.returnValue == .hostMemory)
    }

    @Test func `A new start after one that failed counts as new`() throws {
        let mock = try MockModule()
        let module = try Module.load(path: mock.path)
        mock.script(.answer(.initialize, .hostMemory))
        #expect(failure { _ = try module.reinitialize() }?.returnValue == .hostMemory)
        #expect(try module.reinitialize())
        #expect(try module.info().manufacturer == "SoftHSM")
    }

    @Test func `A new start revives a module that somebody finalised`() throws {
        let mock = try MockModule()
        let module = try Module.load(path: mock.path)
        mock.script(.finalize)
        #expect(failure { _ = try module.info() }?.returnValue == .cryptokiNotInitialized)
        _ = try module.reinitialize()
        #expect(try module.info().manufacturer == "SoftHSM")
    }

    @Test(arguments: [CryptokiFunction.getInfo, .getSlotList])
    func `A module that cannot be asked is an error that names the call`(function: CryptokiFunction) throws {
        let mock = try MockToken()
        let module = try Module.load(path: mock.module.path)
        mock.script(.answer(function, .functionFailed))
        let failed = failure { _ = try Token.find(mock.uri, in: [module]) }
        #expect(failed == PKCS11Error(function: function.name, returnValue: .functionFailed))
    }

    @Test func `A token whose mechanisms cannot be listed is told`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.getMechanismList, .deviceError))
        #expect(failure { _ = try token.mechanisms() }?.function == "C_GetMechanismList")
        mock.script(.answer(.getMechanismList, .deviceError, after: 1))
        #expect(failure { _ = try token.mechanisms() }?.function == "C_GetMechanismList")
    }

    @Test func `A module without initialised tokens has none`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.flags(set: [], clear: .tokenInitialized))
        #expect(try token.module.tokens().isEmpty)
        #expect(try token.module.emptySlots().contains(token.slot))
    }

    @Test func `A token that cannot be made anew is told, and stays as it was`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.initToken, .tokenWriteProtected))
        let failed = failure {
            try token.module.initializeToken(in: token.slot, label: "new", soPIN: mock.token.soPIN())
        }
        #expect(failed?.function == "C_InitToken" && failed?.returnValue == .tokenWriteProtected)
        #expect(try token.info().label == mock.token.label)
    }

    @Test(arguments: [0, 1])
    func `A token that cannot be asked before or after it is made anew is told`(before: Int) throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.getTokenInfo, .deviceError, after: before))
        let failed = failure {
            try token.module.initializeToken(in: token.slot, label: mock.token.label, soPIN: mock.token.soPIN())
        }
        #expect(failed?.function == "C_GetTokenInfo")
        #expect(mock.module.calls(of: .initToken) == before)
    }
}
