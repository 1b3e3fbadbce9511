// SPDX-License-Identifier: Apache-2.0
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Other users of the same module in the process, who know nothing of p11-kit.
@Suite(.lendsTokens) struct CoexistenceTests {
    private static let ok: UInt = 0
    private static let notInitialized: UInt = 0x190
    private static let alreadyInitialized: UInt = 0x191

    @Test func `A module that another library initialised before us works, and stays initialised after us`() throws {
        let made = try SoftHSMToken.make()
        let other = try SoftHSMCopy()
        #expect(try other.initialize() == Self.ok)
        do {
            let module = try Module.load(path: other.path)
            let token = try Token.find(made.uri, in: [module])
            try token.login(made.pin())
            #expect(token.isLoggedIn)
        }
        #expect(try other.getInfo() == Self.ok)
        #expect(try other.finalize() == Self.ok)
    }

    @Test func `A module that we initialised is finalised when we go`() throws {
        let other = try SoftHSMCopy()
        do {
            let module = try Module.load(path: other.path)
            #expect(try other.getInfo() == Self.ok)
            #expect(try other.initialize() == Self.alreadyInitialized)
            _ = try module.info()
        }
        #expect(try other.getInfo() == Self.notInitialized)
    }

    @Test func `A token keeps its module loaded`() throws {
        let made = try SoftHSMToken.make()
        let other = try SoftHSMCopy()
        do {
            let token = try Token.find(made.uri, in: [Module.load(path: other.path)])
            #expect(try token.info().label == made.label)
            let session = try token.openSession(readWrite: false)
            #expect(try session.generateRandom(4).count == 4)
        }
        #expect(try other.getInfo() == Self.notInitialized)
    }

    @Test func `A module finalised beneath us is noticed, and works again after a new start`() throws {
        let made = try SoftHSMToken.make()
        let other = try SoftHSMCopy()
        let module = try Module.load(path: other.path)
        let token = try Token.find(made.uri, in: [module])
        try token.login(made.pin())
        #expect(try other.finalize() == Self.ok)
        #expect(!token.isLoggedIn)
        let failed = failure {
            _ = try token.withSession { (session) throws(PKCS11Error) in try session.generateRandom(1) }
        }
        #expect(failed?.returnValue?.kind == .sessionLost)
        _ = try module.reinitialize()
        try token.findAgain()
        try token.login(made.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `A new start ends sessions and login`() throws {
        let made = try SoftHSMToken.make()
        let module = try Module.load(path: SoftHSMCopy().path)
        let token = try Token.find(made.uri, in: [module])
        try token.login(made.pin())
        #expect(try module.reinitialize())
        #expect(!token.isLoggedIn)
        try token.findAgain()
        try token.login(made.pin())
        #expect(token.isLoggedIn)
    }

    @Test func `A new start says when others keep the module going`() throws {
        let copy = try SoftHSMCopy()
        let first = try Module.load(path: copy.path)
        let second = try Module.load(path: copy.path)
        #expect(try !first.reinitialize())
        #expect(try second.info() == first.info())
    }
}
