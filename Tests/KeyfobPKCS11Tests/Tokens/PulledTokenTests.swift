// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Tokens that are pulled, put back, put elsewhere, exchanged, failed over; modules that others finalise.
@Suite(.lendsTokens) struct PulledTokenTests {
    static let losses: [ReturnValue] = [.deviceRemoved, .tokenNotPresent, .sessionHandleInvalid]

    private func use(_ token: Token) throws(PKCS11Error) {
        try token.withSession { (session) throws(PKCS11Error) in _ = try session.generateRandom(1) }
    }

    @Test(arguments: losses)
    func `The first use of a token that was pulled says so and empties the pool`(value: ReturnValue) throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        try use(token)
        mock.script(.remove(value))
        #expect(failure { try use(token) }?.returnValue == value)
        #expect(token.sessionCount == 0)
        #expect(failure { try use(token) }?.returnValue == .tokenNotPresent)
        #expect(!token.isLoggedIn)
    }

    @Test(arguments: losses)
    func `A token that is back serves again at the next use, logged out`(value: ReturnValue) throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        mock.script(.remove(value))
        #expect(failure { try use(token) } != nil)
        mock.script(.insert)
        try use(token)
        #expect(!token.isLoggedIn)
    }

    @Test(arguments: losses)
    func `One logs in to a token that is back, and the PIN is sent once`(value: ReturnValue) throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        mock.script(.remove(value))
        // A token that is gone gets no PIN.
        #expect(failure { try token.login(mock.token.pin()) }?.returnValue == .tokenNotPresent)
        mock.script(.insert)
        try token.login(mock.token.pin())
        #expect(token.isLoggedIn)
        #expect(token.calls.calls(of: .login) == 2)
    }

    @Test(arguments: losses)
    func `Logging out of a token that was pulled is success, and lets its sessions go`(value: ReturnValue) throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        try use(token)
        mock.script(.remove(value))
        try token.logout()
        #expect(token.sessionCount == 0)
    }

    @Test func `A token that was pulled is not found again, and found when it is back`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        mock.script(.remove())
        let failed = failure { try token.findAgain() }
        #expect(failed?.fault == .tokenNotFound(uri: token.uri.string, failedModules: []))
        mock.script(.insert)
        try token.findAgain()
        try use(token)
    }

    @Test func `A token that is back in another slot is found there`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        let slot = token.slot
        mock.script(.remove(), .move(by: 1 << 40), .insert)
        #expect(failure { try use(token) }?.returnValue?.kind == .tokenGone)
        try token.findAgain()
        #expect(token.slot.rawValue == slot.rawValue + 1 << 40)
        try token.login(mock.token.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `Another token in the place of the one that was pulled gets no session and no PIN`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        mock.script(.remove(), .showSerial("4711"), .insert)
        // Its old session is dead: that is noticed first, and then that another token is there.
        #expect(failure { try use(token) } != nil)
        for failed in [failure { try use(token) }, failure { try token.login(mock.token.pin()) }] {
            guard case .replaced(let other) = failed?.fault else {
                Issue.record("wrong error: \(String(describing: failed))")
                continue
            }
            #expect(other.serial == "4711")
        }
        #expect(token.calls.calls(of: .login) == 1)
        guard case .tokenNotFound = failure({ try token.findAgain() })?.fault else {
            Issue.record("another token is found")
            return
        }
    }

    @Test func `Two tokens that say the same of themselves are not told apart by guessing`() throws {
        let mock = try MockToken()
        let twin = try SoftHSMToken.make()
        let token = try mock.open()
        let serial = try #require(token.uri.serial)
        mock.script(.token(twin.label), .showLabel(mock.token.label), .showSerial(serial))
        guard case .ambiguous(let candidates) = failure({ try token.findAgain() })?.fault else {
            Issue.record("no ambiguity")
            return
        }
        #expect(candidates == [token.identity, token.identity])
    }

    @Test func `The slots cannot be listed, and the token that is looked for is told of it`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.getSlotList, .deviceError))
        #expect(failure { try token.findAgain() }?.returnValue == .deviceError)
    }

    @Test func `After a fail-over one use fails, and the next is served, logged out`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        try use(token)
        mock.script(.failOver)
        #expect(failure { try use(token) }?.returnValue == .sessionHandleInvalid)
        try use(token)
        #expect(!token.isLoggedIn)
        try token.login(mock.token.pin())
        #expect(token.isLoggedIn)
        #expect(token.calls.calls(of: .login) == 2)
    }

    @Test func `Handles of a session that a fail-over ended are let go without a call`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        try use(token)
        mock.script(.failOver)
        #expect(failure { try use(token) } != nil)
        #expect(mock.module.calls(of: .closeSession) == 0)
    }

    @Test func `A module that somebody finalised fails until it is initialised again, and serves then`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        try use(token)
        mock.script(.finalize)
        #expect(failure { try use(token) }?.returnValue == .cryptokiNotInitialized)
        #expect(failure { try token.findAgain() }?.returnValue == .cryptokiNotInitialized)
        #expect(!token.isLoggedIn)
        _ = try token.module.reinitialize()
        try token.findAgain()
        try use(token)
        try token.login(mock.token.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `A call that hangs while its token is pulled ends with the loss, and others are served after`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.hang(.generateRandom))
        let hung = Background { try token.withSession { (s) throws(PKCS11Error) in _ = try s.generateRandom(1) } }
        #expect(mock.module.waitForHang())
        mock.script(.remove(), .release)
        #expect(failure { try hung.value() }?.returnValue == .deviceRemoved)
        mock.script(.insert)
        try use(token)
    }

    @Test func `Threads that use a token which comes and goes see losses and nothing else`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        let strange = Shared<[PKCS11Error]>([])
        Threads.run(5) { number in
            for _ in 0..<60 {
                if number == 0 {
                    mock.script(.remove())
                    mock.script(.insert)
                    continue
                }
                do throws(PKCS11Error) { try use(token) } catch {
                    guard let kind = error.returnValue?.kind, kind == .tokenGone || kind == .sessionLost else {
                        strange.change { $0.append(error) }
                        continue
                    }
                }
            }
        }
        #expect(strange.now == [])
        // A session that died in the pool is noticed at its next use.
        _ = failure { try use(token) }
        try use(token)
    }
}
