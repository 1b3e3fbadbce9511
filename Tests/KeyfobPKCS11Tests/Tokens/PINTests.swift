// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct PINTests {
    private let newPIN = Array("87654321x".utf8)

    @Test func `A changed PIN replaces the old one`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        try token.changePIN(from: made.pin(), to: SecretBytes(copying: newPIN))
        #expect(failure { try token.login(made.pin()) }?.returnValue == .pinIncorrect)
        try token.login(SecretBytes(copying: newPIN))
        #expect(token.isLoggedIn)
    }

    @Test func `A wrong old PIN reaches the token once and changes nothing`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let failed = failure { try token.changePIN(from: made.wrongPIN(), to: SecretBytes(copying: newPIN)) }
        #expect(failed?.function == "C_SetPIN")
        #expect(failed?.returnValue == .pinIncorrect)
        #expect(token.calls.calls(of: .setPIN) == 1)
        try token.login(made.pin())
    }

    @Test func `A new PIN of the wrong length never reaches the token`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let failed = failure { try token.changePIN(from: made.pin(), to: SecretBytes(copying: [0x31])) }
        #expect(failed?.fault == .pinNotTried(.length(minimum: 4, maximum: 255)))
        #expect(token.calls.calls(of: .setPIN) == 0)
    }

    @Test func `The SO gives a new PIN in place of a forgotten one, and keys stay`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        let key = try token.openSession(readWrite: true).generateKey(
            .aesKeyGeneration, .aesKey(token: true, label: "stays"))
        _ = key
        try token.initializePIN(SecretBytes(copying: newPIN), soPIN: made.soPIN())
        #expect(!token.isLoggedIn)
        try token.login(SecretBytes(copying: newPIN))
        let found = try token.withSession { (session) throws(PKCS11Error) in try session.find(.label("stays")) }
        #expect(found.count == 1)
    }

    @Test func `A wrong SO PIN reaches the token once`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let failed = failure { try token.initializePIN(SecretBytes(copying: newPIN), soPIN: made.pin()) }
        #expect(failed?.function == "C_Login")
        #expect(failed?.returnValue == .pinIncorrect)
        #expect(token.calls.calls(of: .login) == 1)
        #expect(token.calls.calls(of: .initPIN) == 0)
    }

    @Test func `The SO is logged out even if the new PIN is refused`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let token = try made.open(interposer: plan)
        plan.fail(.initPIN, with: .pinInvalid)
        let failed = failure { try token.initializePIN(SecretBytes(copying: newPIN), soPIN: made.soPIN()) }
        #expect(failed?.function == "C_InitPIN")
        try token.login(made.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `The SO logs in beside read and write sessions, whose public objects stay`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.openLoggedIn()
        let session = try token.openSession(readWrite: true)
        let key = try session.generateKey(.aesKeyGeneration, .aesKey(token: false, isPrivate: false, label: "stays"))
        try token.initializePIN(SecretBytes(copying: newPIN), soPIN: made.soPIN())
        let found = try token.withSession { (session) throws(PKCS11Error) in try session.find(.label("stays")) }
        #expect(found == [key])
        try session.destroyObject(key)
    }

    @Test func `While the SO is logged in nobody gets a session, and afterwards everybody`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        var faults: [PKCS11Error.Fault?] = []
        let pin = try made.pin()
        try token.initializePIN(
            SecretBytes(copying: newPIN), soPIN: made.soPIN(),
            beforehand: {
                faults.append(failure { try token.withSession { (_) throws(PKCS11Error) in } }?.fault)
                faults.append(failure { _ = try token.openSession(readWrite: true) }?.fault)
                faults.append(failure { try token.login(pin) }?.fault)
                faults.append(failure { try token.initializePIN(pin, soPIN: pin) }?.fault)
                return true
            })
        #expect(faults == [.reserved, .reserved, .reserved, .reserved])
        try token.withSession { (_) throws(PKCS11Error) in }
        try token.login(SecretBytes(copying: newPIN))
    }

    @Test func `A call that runs is waited for before the SO logs in`() throws {
        let plan = FaultPlan()
        let made = try SoftHSMToken.make()
        let token = try made.open(interposer: plan)
        let gate = plan.hang(.generateRandom)
        let call = Background {
            try token.withSession { (session) throws(PKCS11Error) in _ = try session.generateRandom(4) }
        }
        gate.waitForArrival()
        let (new, securityOfficer) = (newPIN, made)
        let initialize = {
            try token.initializePIN(
                SecretBytes(copying: new), soPIN: securityOfficer.soPIN(), drain: .milliseconds(50))
        }
        let failed = failure { _ = try initialize() }
        #expect(failed?.fault == .timedOut)
        #expect(token.calls.calls(of: .login) == 0)
        gate.open()
        try call.value()
        #expect(try initialize())
        try token.login(SecretBytes(copying: newPIN))
    }

    @Test func `The SO who is told to stop has changed nothing and is logged out`() throws {
        let made = try SoftHSMToken.make()
        let token = try made.open()
        let goesOn = try token.initializePIN(
            SecretBytes(copying: newPIN), soPIN: made.soPIN(), beforehand: { false })
        #expect(!goesOn)
        try token.login(made.pin())
        #expect(token.isLoggedIn)
    }
}
