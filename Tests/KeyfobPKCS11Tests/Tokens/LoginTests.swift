// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct LoginTests {
    @Test func `A new token is not logged in`() throws {
        let token = try SoftHSMToken.make().open()
        #expect(!token.isLoggedIn)
    }

    @Test func `The right PIN logs in with one call`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        try token.login(made.pin())
        #expect(token.isLoggedIn)
        #expect(token.calls.calls(of: .login) == 1)
    }

    @Test func `A wrong PIN reaches the token exactly once`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let failed = failure { try token.login(made.wrongPIN()) }
        #expect(failed?.function == "C_Login")
        #expect(failed?.returnValue == .pinIncorrect)
        #expect(failed?.token == token.identity)
        #expect(token.calls.calls(of: .login) == 1)
        #expect(!token.isLoggedIn)
    }

    @Test func `Few tries are left after a wrong PIN, until a right one`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        _ = failure { try token.login(made.wrongPIN()) }
        #expect(try token.info().triesLeft == .few)
        try token.login(made.pin())
        #expect(try token.info().triesLeft == .unknown)
    }

    @Test(arguments: [0, 3, 256])
    func `A PIN of a length that the token does not take never reaches it`(_ length: Int) throws {
        let token = try SoftHSMToken.make().open()
        let failed = failure { try token.login(SecretBytes(copying: [UInt8](repeating: 0x31, count: length))) }
        #expect(failed?.fault == .pinNotTried(.length(minimum: 4, maximum: 255)))
        #expect(token.calls.calls(of: .login) == 0)
    }

    @Test func `Logging in twice is success`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        try token.login(made.pin())
        #expect(token.isLoggedIn)
        #expect(token.calls.calls(of: .login) == 2)
    }

    @Test func `Another component's login of the user is success`() throws {
        let made = try SoftHSMToken.make()
        let other = try made.openLoggedIn()
        let token = try made.open()
        try token.login(made.pin())
        #expect(token.isLoggedIn)
        #expect(other.isLoggedIn)
    }

    @Test func `A token without a user PIN says that there is none`() throws {
        let token = try SoftHSMToken.make(withPIN: false).open()
        let failed = failure { try token.login(SecretBytes(copying: Array("123456".utf8))) }
        #expect(failed?.returnValue?.kind == .pinNotSet)
    }

    @Test func `Logging out ends the login`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        try token.logout()
        #expect(!token.isLoggedIn)
    }

    @Test func `Logging out without a login is success`() throws {
        let token = try SoftHSMToken.make().open()
        try token.logout()
        try token.logout()
        #expect(!token.isLoggedIn)
    }

    @Test func `One logs in again after logging out`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        for _ in 0..<20 {
            try token.logout()
            try token.login(made.pin())
        }
        #expect(token.isLoggedIn)
    }

    @Test func `A logout that the token refuses is told`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().openLoggedIn(interposer: plan)
        plan.fail(.logout, with: .functionFailed)
        #expect(failure { try token.logout() }?.returnValue == .functionFailed)
        #expect(token.isLoggedIn)
    }

    @Test func `The login outlives the sessions of the pool`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        _ = try token.withSession { (session) throws(PKCS11Error) in try session.generateRandom(1) }
        token.setGCMVariant(.withIVBits)
        #expect(token.isLoggedIn)
    }

    @Test func `A spoiled keeper is replaced without losing the login`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn(interposer: plan)
        plan.fail(.logout, with: .functionFailed)
        _ = failure { try token.logout() }
        try token.login(made.pin())
        #expect(token.isLoggedIn)
        #expect(token.calls.calls(of: .closeSession) == 1)
    }

    @Test func `Threads that log in at once all succeed, each with one call`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let workers = (0..<6).map { _ in Background { try token.login(made.pin()) } }
        for worker in workers { try worker.value() }
        #expect(token.isLoggedIn)
        #expect(token.calls.calls(of: .login) == 6)
    }

    @Test func `Sessions opened before and after the login see it`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let before = try token.openSession(readWrite: true)
        let early = try before.isLoggedIn()
        try token.login(made.pin())
        let after = try token.openSession(readWrite: false)
        let late = try [before.isLoggedIn(), after.isLoggedIn()]
        #expect(!early)
        #expect(late == [true, true])
    }

    @Test func `The login of one token is none of another`() throws {
        let first = try SoftHSMToken.make().openLoggedIn()
        let second = try SoftHSMToken.make().open()
        #expect(first.isLoggedIn)
        #expect(!second.isLoggedIn)
    }

    // MARK: - A PIN pad

    @Test func `A PIN entered on the device makes one login call`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.login, with: .ok)
        try token.loginProtected()
        #expect(token.calls.calls(of: .login) == 1)
    }

    @Test func `A PIN refused on the device is told and not asked again`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.login, with: .pinIncorrect)
        #expect(failure { try token.loginProtected() }?.returnValue == .pinIncorrect)
        #expect(token.calls.calls(of: .login) == 1)
    }

    @Test func `A login that belongs to the SO is no success`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let token = try made.open(interposer: plan)
        plan.fail(.login, with: .userAnotherAlreadyLoggedIn)
        #expect(failure { try token.login(made.pin()) }?.returnValue == .userAnotherAlreadyLoggedIn)
        #expect(!token.isLoggedIn)
    }
}
