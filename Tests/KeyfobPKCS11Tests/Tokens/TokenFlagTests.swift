// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// What a token says about its PINs decides which of them it gets.
@Suite(.lendsTokens) struct TokenFlagTests {
    private func newPIN() throws -> SecretBytes { try SecretBytes(copying: Array("87654321x".utf8)) }

    @Test(arguments: [
        (TokenFlags.userPINLocked, PKCS11Error.PINRefusal.locked), (.userPINFinalTry, .finalTry),
    ])
    func `A user PIN without a try to spare never reaches the token`(
        flag: TokenFlags, refusal: PKCS11Error.PINRefusal
    ) throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.flags(set: flag))
        #expect(failure { try token.login(mock.token.pin()) }?.fault == .pinNotTried(refusal))
        #expect(failure { try token.loginProtected() }?.fault == .pinNotTried(refusal))
        let change = failure { try token.changePIN(from: mock.token.pin(), to: newPIN()) }
        #expect(change?.fault == .pinNotTried(refusal))
        #expect(token.calls.calls(of: .login) == 0 && token.calls.calls(of: .setPIN) == 0)
    }

    @Test func `New PINs that are entered on the device hold`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        try mock.enterPINOnDevice(newPIN: "987654")
        try token.changePINOnDevice()
        try token.loginProtected()
        try token.logout()
        mock.script(.deviceNewPIN("456789"))
        #expect(try token.initializePINOnDevice())
        try token.login(SecretBytes(copying: Array("456789".utf8)))
    }

    @Test func `On the device, too, the last try is not spent without consent`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        try mock.enterPINOnDevice(newPIN: "987654")
        mock.script(.flags(set: [.protectedAuthenticationPath, .userPINFinalTry, .soPINFinalTry]))
        #expect(failure { try token.changePINOnDevice() }?.fault == .pinNotTried(.finalTry))
        #expect(failure { try token.initializePINOnDevice() }?.fault == .pinNotTried(.finalTry))
        #expect(token.calls.calls(of: .login) == 0 && token.calls.calls(of: .setPIN) == 0)
        try token.changePINOnDevice(finalTry: true)
        #expect(try token.initializePINOnDevice(finalTry: true))
    }

    @Test func `Two wrong PINs that come together do not spend the last try between them`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.hang(.login), .hang(.setPIN))
        let first = Background {
            let wrong = try mock.token.wrongPIN()
            return failure { try token.login(wrong) }
        }
        #expect(mock.module.waitForHang())
        let second = Background {
            let wrong = try mock.token.wrongPIN()
            let new = try newPIN()
            return failure { try token.changePIN(from: wrong, to: new) }
        }
        // It waits for the first instead of asking now how many tries are left.
        #expect(!mock.module.waitForHang(2, seconds: 1))
        mock.script(.flags(set: .userPINFinalTry), .release)
        #expect(try first.value()?.returnValue == .pinIncorrect)
        #expect(try second.value()?.fault == .pinNotTried(.finalTry))
        #expect(token.calls.calls(of: .setPIN) == 0)
    }

    @Test func `The last try is spent with consent, once`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.flags(set: .userPINFinalTry))
        try token.login(mock.token.pin(), finalTry: true)
        #expect(token.calls.calls(of: .login) == 1)
    }

    @Test(arguments: [TokenFlags.userPINCountLow, .userPINToBeChanged])
    func `A flag that only warns keeps no PIN from the token`(flag: TokenFlags) throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.flags(set: flag))
        try token.login(mock.token.pin())
        #expect(token.isLoggedIn)
    }

    @Test(arguments: [
        (TokenFlags.soPINLocked, PKCS11Error.PINRefusal.locked), (.soPINFinalTry, .finalTry),
    ])
    func `An SO PIN without a try to spare never reaches the token`(
        flag: TokenFlags, refusal: PKCS11Error.PINRefusal
    ) throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.flags(set: flag))
        let failed = failure { try token.initializePIN(newPIN(), soPIN: mock.token.soPIN()) }
        #expect(failed?.fault == .pinNotTried(refusal))
        let made = failure {
            try token.module.initializeToken(in: token.slot, label: "gone", soPIN: mock.token.soPIN())
        }
        #expect(made?.fault == .pinNotTried(refusal))
        #expect(mock.module.calls(of: .login) == 0 && mock.module.calls(of: .initToken) == 0)
    }

    @Test func `A PIN outside of the lengths that the token takes now never reaches it`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.pinLength(10...12))
        let failed = failure { try token.login(mock.token.pin()) }
        #expect(failed?.fault == .pinNotTried(.length(minimum: 10, maximum: 12)))
        #expect(token.calls.calls(of: .login) == 0)
    }

    // MARK: - Calls around a login that fail

    @Test func `A PIN is kept from a token whose session cannot be asked`() throws {
        let mock = try MockToken()
        let token = try mock.openLoggedIn()
        try token.logout()
        mock.script(.answer(.getSessionInfo, .functionFailed))
        #expect(failure { try token.login(mock.token.pin()) }?.function == "C_GetSessionInfo")
        #expect(token.calls.calls(of: .login) == 1)
    }

    @Test func `A PIN is kept from a token that gives no session`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.openSession, .sessionCount, times: MockStep.forever))
        #expect(failure { try token.login(mock.token.pin()) }?.returnValue == .sessionCount)
        let other = failure { try token.initializePIN(newPIN(), soPIN: mock.token.soPIN()) }
        #expect(other?.returnValue == .sessionCount)
        let change = failure { try token.changePIN(from: mock.token.pin(), to: newPIN()) }
        #expect(change?.returnValue == .sessionCount)
        #expect(token.calls.calls(of: .login) == 0 && token.calls.calls(of: .setPIN) == 0)
    }

    @Test func `A login that is there already and cannot be looked into is no success`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.login, .userAlreadyLoggedIn), .answer(.getSessionInfo, .functionFailed))
        #expect(failure { try token.login(mock.token.pin()) }?.function == "C_GetSessionInfo")
    }

    @Test func `An SO who cannot log out is told of it, and the new PIN holds`() throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.logout, .functionFailed))
        let failed = failure { try token.initializePIN(newPIN(), soPIN: mock.token.soPIN()) }
        #expect(failed?.function == "C_Logout")
        try token.login(newPIN())
        #expect(token.isLoggedIn)
    }

    @Test(arguments: [ReturnValue.pinIncorrect, .pinLocked, .pinExpired, .userPINNotInitialized, .userTypeInvalid])
    func `A login is never tried a second time, whatever the token says`(value: ReturnValue) throws {
        let mock = try MockToken()
        let token = try mock.open()
        mock.script(.answer(.login, value))
        let failed = failure { try token.login(mock.token.pin()) }
        #expect(failed?.function == "C_Login" && failed?.returnValue == value)
        #expect(mock.module.calls(of: .login) == 1)
    }

    @Test func `A PIN entered on the device logs in without one from here`() throws {
        let mock = try MockToken()
        try mock.enterPINOnDevice()
        let token = try mock.open()
        try token.loginProtected()
        #expect(token.isLoggedIn)
    }
}
