// SPDX-License-Identifier: Apache-2.0
import KeyfobTestSupport
import Testing

@testable import KeyfobPKCS11

@Suite(.lendsTokens) struct CallCounterTests {
    @Test func `Calls are counted by function`() {
        let counter = CallCounter()
        counter.count(.login)
        counter.count(.login)
        counter.count(.decrypt)
        #expect(counter.calls(of: .login) == 2)
        #expect(counter.snapshot() == ["C_Login": 2, "C_Decrypt": 1])
        #expect(counter.total == 3)
    }

    @Test func `Every function has its C name`() {
        let names = CryptokiFunction.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("C_") })
        #expect(CryptokiFunction.initialize.name == "C_Initialize")
        #expect(CryptokiFunction.getSessionInfo.name == "C_GetSessionInfo")
        #expect(CryptokiFunction.generateRandom.name == "C_GenerateRandom")
    }

    @Test func `Two tokens count apart`() throws {
        let first = try SoftHSMToken.make().open()
        let second = try SoftHSMToken.make().open()
        _ = try first.info()
        #expect(first.calls.snapshot() == ["C_GetTokenInfo": 1])
        #expect(second.calls.snapshot() == [:])
    }

    @Test func `Opening a sealed value costs two calls on an open session`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let session = try token.openSession(readWrite: false)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey())
        let sealed = try session.seal([1], key: key)
        let before = token.calls.total
        _ = try session.open(sealed, key: key)
        #expect(token.calls.total - before == 2)
    }

    @Test func `A call that was intercepted counts as one`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.getTokenInfo, with: .deviceError)
        #expect(failure { _ = try token.info() }?.returnValue == .deviceError)
        #expect(token.calls.calls(of: .getTokenInfo) == 1)
    }
}
