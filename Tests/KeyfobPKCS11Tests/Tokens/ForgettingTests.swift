// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Tokens that are made to forget a login; what a card does is in TokenContractTests.
@Suite(.lendsTokens) struct ForgettingTests {
    @Test func `A token that is made to forget is logged out, and serves new sessions and no old ones`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        let session = try token.openSession(readWrite: true)
        let wasCurrent = session.isOfThisStart
        #expect(wasCurrent)
        #expect(try token.forgetLogin())
        let isCurrent = session.isOfThisStart
        #expect(!token.isLoggedIn && !isCurrent)
        let error = failure { _ = try session.isLoggedIn() }
        #expect(error?.returnValue == .sessionHandleInvalid)
        try token.login(mock.token.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `A module that is in use elsewhere in the process is not started anew, and that is told`() throws {
        let mock = try MockToken()
        let (token, other) = (try mock.openLoggedIn(), try mock.open())
        let starts = mock.module.calls(of: .initialize)
        #expect(try !token.forgetLogin())
        #expect(mock.module.calls(of: .initialize) == starts)
        withExtendedLifetime(other) {}
    }

    @Test func `What is no device is not made to forget by force`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        let starts = mock.module.calls(of: .initialize)
        #expect(try token.forgetLoginOfDevice())
        #expect(mock.module.calls(of: .initialize) == starts && token.isLoggedIn)
    }

    @Test func `A module that does not start again says so, and is found when it does`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        mock.script(.answer(.initialize, .hostMemory))
        #expect(failure { _ = try token.forgetLogin() }?.returnValue == .hostMemory)
        #expect(try token.module.reinitialize())
        try token.findAgain()
        try token.login(mock.token.pin())
    }

    @Test func `A slot without a token is a token that is gone`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        mock.script(.answer(.getSlotInfo, .slotIDInvalid))
        // Software is asked once: it was not asked before.
        #expect(failure { try token.check() }?.function == "C_GetSlotInfo")
        try token.check()
        let asked = mock.module.calls(of: .getSlotInfo)
        try token.check()
        #expect(mock.module.calls(of: .getSlotInfo) == asked)
    }
}
