// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import KeyfobPKCS11

@Suite struct LoginStateTests {
    @Test(arguments: [LoginState.loggedOut, .loggedIn, .refused, .locked])
    func `A good PIN logs in from every state`(_ start: LoginState) {
        var state = start
        #expect(state.answered(.ok) == .loggedIn)
        #expect(state == .loggedIn)
    }

    @Test func `A refused PIN is a failure and is remembered`() {
        var state = LoginState.loggedOut
        #expect(state.answered(.pinIncorrect) == .fail)
        #expect(state == .refused)
    }

    @Test func `A locked PIN is a failure and is remembered`() {
        var state = LoginState.refused
        #expect(state.answered(.pinLocked) == .fail)
        #expect(state == .locked)
    }

    @Test(arguments: [ReturnValue.userAlreadyLoggedIn, .userAnotherAlreadyLoggedIn])
    func `A login that is there already makes the caller ask whose it is`(_ value: ReturnValue) {
        var state = LoginState.loggedOut
        #expect(state.answered(value) == .askWho)
        #expect(state == .loggedOut)
    }

    @Test func `The token's own word makes the state logged in`() {
        var state = LoginState.refused
        state.observed(isLoggedIn: true)
        #expect(state == .loggedIn)
    }

    @Test func `A login that vanished is noticed`() {
        var state = LoginState.loggedIn
        state.observed(isLoggedIn: false)
        #expect(state == .loggedOut)
    }

    @Test(arguments: [LoginState.refused, .locked])
    func `Seeing no login does not forget a refusal`(_ start: LoginState) {
        var state = start
        state.observed(isLoggedIn: false)
        #expect(state == start)
    }

    @Test(arguments: [ReturnValue.ok, .userNotLoggedIn, .sessionHandleInvalid, .deviceRemoved, .cryptokiNotInitialized])
    func `A logout that finds no login has done its work`(_ value: ReturnValue) {
        var state = LoginState.loggedIn
        let isOut = state.loggedOut(value)
        #expect(isOut)
        #expect(state == .loggedOut)
    }

    @Test(arguments: [ReturnValue.generalError, .functionFailed, .deviceError])
    func `A logout that fails leaves the login`(_ value: ReturnValue) {
        var state = LoginState.loggedIn
        let isOut = state.loggedOut(value)
        #expect(!isOut)
        #expect(state == .loggedIn)
    }

    @Test(arguments: [ReturnValue.sessionHandleInvalid, .tokenNotPresent])
    func `A token lost at login is logged out`(_ value: ReturnValue) {
        var state = LoginState.loggedIn
        #expect(state.answered(value) == .fail)
        #expect(state == .loggedOut)
    }

    @Test(arguments: [ReturnValue.generalError, .pinExpired, .userPINNotInitialized, .pinLenRange])
    func `Another failure changes nothing`(_ value: ReturnValue) {
        var state = LoginState.loggedOut
        #expect(state.answered(value) == .fail)
        #expect(state == .loggedOut)
    }

    // MARK: - What may go to the token

    @Test func `A PIN of the wrong length is kept from the token`() {
        let refusal = LoginState.refusal(.user, .sample(pin: 4...8), length: 3, finalTry: true)
        #expect(refusal == .length(minimum: 4, maximum: 8))
    }

    @Test func `A locked PIN is kept from the token`() {
        #expect(LoginState.refusal(.user, .sample(flags: .userPINLocked), length: 4, finalTry: true) == .locked)
    }

    @Test func `The last try is spent only with consent`() {
        let info = TokenInfo.sample(flags: [.userPINCountLow, .userPINFinalTry])
        #expect(LoginState.refusal(.user, info, length: 4, finalTry: false) == .finalTry)
        #expect(LoginState.refusal(.user, info, length: 4, finalTry: true) == nil)
    }

    @Test func `A low count of tries does not stop a PIN`() {
        #expect(LoginState.refusal(.user, .sample(flags: .userPINCountLow), length: 4, finalTry: false) == nil)
    }

    @Test func `The flags of the user do not stop the SO, nor the other way round`() {
        #expect(LoginState.refusal(.securityOfficer, .sample(flags: .userPINLocked), length: 4, finalTry: false) == nil)
        #expect(LoginState.refusal(.user, .sample(flags: .soPINLocked), length: 4, finalTry: false) == nil)
        #expect(
            LoginState.refusal(.securityOfficer, .sample(flags: .soPINFinalTry), length: 4, finalTry: false)
                == .finalTry)
    }
}
