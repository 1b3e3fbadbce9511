// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct RemovalTests {
    @Test func `A token whose keeper is gone is not logged in`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        plan.fail(.getSessionInfo, with: .deviceRemoved)
        #expect(!token.isLoggedIn)
    }

    @Test func `The next login opens a new keeper, and the PIN is sent once`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let token = try made.open(interposer: plan)
        try token.login(made.pin())
        try token.logout()
        plan.fail(.getSessionInfo, with: .sessionHandleInvalid)
        try token.login(made.pin())
        #expect(token.isLoggedIn)
        #expect(token.calls.calls(of: .login) == 2)
        #expect(token.calls.calls(of: .openSession) == 2)
    }

    @Test func `A token that is gone at login costs no try`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let token = try made.open(interposer: plan)
        plan.fail(.getTokenInfo, with: .tokenNotPresent)
        #expect(failure { try token.login(made.pin()) }?.returnValue == .tokenNotPresent)
        #expect(token.calls.calls(of: .login) == 0)
    }

    @Test func `Logging out of a token that is gone is success`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        plan.fail(.logout, with: .deviceRemoved)
        try token.logout()
        #expect(!token.isLoggedIn)
    }

    @Test func `Another token in the place of ours is named, and gets no PIN`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let slot = token.slot
        // The same slot, a new token: SoftHSM keeps the serial, the label is another one.
        try SoftHSM.shared.module.initializeToken(in: slot, label: "another", soPIN: made.soPIN())
        let failed = failure { try token.login(made.pin()) }
        guard case .replaced(let other) = failed?.fault else {
            Issue.record("wrong error: \(String(describing: failed))")
            return
        }
        #expect(other.label == "another")
        #expect(token.calls.calls(of: .login) == 0)
    }

    @Test func `No session is lent on another token in the place of ours`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        try SoftHSM.shared.module.initializeToken(in: token.slot, label: "another", soPIN: made.soPIN())
        let failed = failure { try token.withSession { (_) throws(PKCS11Error) in } }
        guard case .replaced = failed?.fault else {
            Issue.record("wrong error: \(String(describing: failed))")
            return
        }
        #expect(token.calls.calls(of: .closeSession) == 1)
    }

    @Test func `A token that was replaced is not found again`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        try SoftHSM.shared.module.initializeToken(in: token.slot, label: "another", soPIN: made.soPIN())
        guard case .tokenNotFound = failure({ try token.findAgain() })?.fault else {
            Issue.record("found")
            return
        }
    }

    @Test func `A token that is there is found again, logged out`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        try token.findAgain()
        #expect(!token.isLoggedIn)
        try token.login(made.pin())
        #expect(token.isLoggedIn)
    }
}
