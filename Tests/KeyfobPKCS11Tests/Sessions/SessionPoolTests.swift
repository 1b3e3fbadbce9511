// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Synchronization
import Testing

@Suite(.lendsTokens) struct SessionPoolTests {
    private static func use(_ token: Token) throws {
        _ = try token.withSession { (session) throws(PKCS11Error) in try session.generateRandom(1) }
    }

    @Test func `One user after the other shares one session`() throws {
        let token = try SoftHSMToken.make().open()
        for _ in 0..<10 { try Self.use(token) }
        #expect(token.calls.calls(of: .openSession) == 1)
    }

    @Test func `A secret can be the result of a session's use`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let keeper = try token.openSession(readWrite: false)
        let key = try keeper.generateKey(.aesKeyGeneration, .aesKey())
        let sealed = try keeper.seal([1, 2], key: key)
        let iv = [UInt8](repeating: 7, count: 12)
        let aad: [UInt8] = [9]
        let secret = try token.withSession { (session) throws(PKCS11Error) in
            unsafe try session.openGCM(
                key: key, iv: iv.span.bytes, aad: aad.span.bytes, ciphertext: sealed.span.bytes)
        }
        #expect(secret.withBytes { $0.array } == [1, 2])
    }

    @Test func `A session within a session is another one`() throws {
        let token = try SoftHSMToken.make().open()
        try token.withSession { (_) throws(PKCS11Error) in
            try token.withSession { (session) throws(PKCS11Error) in _ = try session.generateRandom(1) }
        }
        #expect(token.calls.calls(of: .openSession) == 2)
    }

    @Test func `No more sessions are opened than the pool may have`() throws {
        let token = try SoftHSMToken.make().open(poolSize: 2)
        let workers = (0..<8).map { _ in
            Background { for _ in 0..<50 { try Self.use(token) } }
        }
        for worker in workers { try worker.value() }
        #expect(token.calls.calls(of: .openSession) <= 2)
        #expect(token.calls.calls(of: .generateRandom) == 400)
    }

    @Test func `Waiting for a session ends at the deadline`() throws {
        let token = try SoftHSMToken.make().open(poolSize: 1)
        try token.withSession { (_) throws(PKCS11Error) in
            let failed = failure {
                try token.withSession(deadline: .milliseconds(1)) { (_) throws(PKCS11Error) in }
            }
            #expect(failed?.fault == .timedOut)
        }
        try Self.use(token)
    }

    @Test func `A session that failed unexpectedly is closed and replaced`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.generateRandom, with: .generalError)
        #expect(failure { try Self.use(token) }?.returnValue == .generalError)
        #expect(token.calls.calls(of: .closeSession) == 1)
        try Self.use(token)
        #expect(token.calls.calls(of: .openSession) == 2)
    }

    @Test func `A session that answered with a refusal stays in use`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.generateRandom, with: .functionNotSupported)
        #expect(failure { try Self.use(token) }?.returnValue == .functionNotSupported)
        try Self.use(token)
        #expect(token.calls.calls(of: .openSession) == 1)
    }

    @Test func `A failure that the body swallows spoils the session all the same`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.generateRandom, with: .generalError)
        try token.withSession { (session) throws(PKCS11Error) in
            _ = try? session.generateRandom(1)
            #expect(session.fault == .generalError)
        }
        try Self.use(token)
        #expect(token.calls.calls(of: .openSession) == 2)
    }

    @Test(arguments: [ReturnValue.sessionHandleInvalid, .deviceRemoved, .tokenNotPresent, .deviceError])
    func `A lost session empties the pool`(_ value: ReturnValue) throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        try token.withSession { (_) throws(PKCS11Error) in
            try token.withSession { (session) throws(PKCS11Error) in _ = try session.generateRandom(1) }
        }
        plan.fail(.generateRandom, with: value)
        #expect(failure { try Self.use(token) }?.returnValue == value)
        try token.withSession { (_) throws(PKCS11Error) in
            try token.withSession { (session) throws(PKCS11Error) in _ = try session.generateRandom(1) }
        }
        #expect(token.calls.calls(of: .openSession) == 4)
    }

    @Test func `The handle of a lost session is not closed, for it may name another's`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.generateRandom, with: .sessionHandleInvalid)
        _ = failure { try Self.use(token) }
        #expect(token.calls.calls(of: .closeSession) == 0)
    }

    @Test func `A token that has no more sessions makes users wait for those it has`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.openSession, with: .sessionCount, after: 1, times: 100)
        let gate = Gate()
        let holder = Background {
            try token.withSession { (_) throws(PKCS11Error) in gate.pass() }
        }
        gate.waitForArrival()
        let waiter = Background { try Self.use(token) }
        gate.open()
        try holder.value()
        try waiter.value()
        #expect(token.calls.calls(of: .generateRandom) == 1)
    }

    @Test func `A token without any session is an error and not a wait`() throws {
        let plan = FaultPlan()
        let token = try SoftHSMToken.make().open(interposer: plan)
        plan.fail(.openSession, with: .sessionCount)
        #expect(failure { try Self.use(token) }?.returnValue == .sessionCount)
        try Self.use(token)
    }

    @Test func `A hung call costs its session and nobody else's`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let token = try made.open(interposer: plan, poolSize: 1, patience: .zero)
        let gate = plan.hang(.generateRandom)
        let hung = Background { try Self.use(token) }
        gate.waitForArrival()
        try Self.use(token)
        gate.open()
        try hung.value()
        #expect(token.calls.calls(of: .openSession) == 2)
        #expect(token.calls.calls(of: .closeSession) == 1)
    }

    @Test func `Eight threads that seal and open get their own values back`() throws {
        let token = try SoftHSMToken.make().openLoggedIn()
        let keeper = try token.openSession(readWrite: false)
        let key = try keeper.generateKey(.aesKeyGeneration, .aesKey())
        let workers = (0..<8).map { (worker: UInt8) in
            Background {
                for round in 0..<40 as Range<UInt8> {
                    let text = [worker, round, 3]
                    let same = try token.withSession { (session) throws(PKCS11Error) in
                        try session.open(session.seal(text, key: key), key: key) == text
                    }
                    guard same else { return false }
                }
                return true
            }
        }
        for worker in workers { #expect(try worker.value()) }
    }
}
