// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

@Suite(.lendsTokens) struct TokenPoolTests {
    private let pool = TokenPool()

    private func makeKey(_ token: Token, label: String) throws {
        let session = try token.openSession(readWrite: true)
        _ = try session.generateKey(.aesKeyGeneration, .aesKey(token: true, isPrivate: false, label: label))
    }

    @Test func `A token that was handed back is the same one, empty`() throws {
        let made = try SoftHSMToken.make()
        try makeKey(made.openLoggedIn(), label: "old")
        pool.takeBack([made])
        let token = try #require(try pool.take(label: "next")).token
        #expect(token.identity.serial == made.uri.serial && token.identity.label == "next")
        #expect(try token.openSession(readWrite: false).find(.label("old")) == [])
    }

    @Test func `A token that was handed back says of itself what a new one says`() throws {
        let new = try SoftHSM.shared.withEmptySlot { slot in
            try SoftHSM.shared.module.initializeToken(
                in: slot, label: "new", soPIN: SecretBytes(copying: [49, 50, 51, 52]))
        }
        let made = try SoftHSMToken.make()
        let used = try made.open()
        #expect(throws: PKCS11Error.self) { try used.login(made.wrongPIN()) }
        used.dropSessions()
        pool.takeBack([made])
        let token = try #require(try pool.take(label: "next")).token
        #expect(try token.info().flags == new.info().flags)
    }

    @Test func `The user PIN of before is none any more`() throws {
        let made = try SoftHSMToken.make()
        pool.takeBack([made])
        let token = try #require(try pool.take(label: "next")).token
        #expect(failure { try token.login(made.pin()) } != nil)
        #expect(!token.isLoggedIn)
    }

    @Test func `A token that is handed out takes the SO PIN that came with it`() throws {
        pool.takeBack([try SoftHSMToken.make()])
        let (token, _, soPIN) = try #require(try pool.take(label: "next"))
        let pin = Array("24681357".utf8)
        try token.initializePIN(SecretBytes(copying: pin), soPIN: SecretBytes(copying: soPIN))
        try token.login(SecretBytes(copying: pin))
        #expect(token.isLoggedIn)
    }

    @Test func `A token with an open session waits for its end`() throws {
        let made = try SoftHSMToken.make()
        let used = try made.openLoggedIn()
        pool.takeBack([made])
        #expect(try pool.take(label: "next") == nil)
        #expect(try made.open().identity.label == made.label)
        used.dropSessions()
        #expect(try pool.take(label: "next") != nil)
    }

    @Test func `A token that somebody made anew with another SO PIN is left alone`() throws {
        let made = try SoftHSMToken.make()
        pool.takeBack([made.having(soPIN: Array("0000000000".utf8))])
        #expect(try pool.take(label: "next") == nil)
        #expect(try made.open().identity.label == made.label)
        #expect(try pool.take(label: "next") == nil)
    }

    @Test func `A token is handed out once`() throws {
        pool.takeBack([try SoftHSMToken.make()])
        #expect(try pool.take(label: "next") != nil)
        #expect(try pool.take(label: "another") == nil)
    }

    @Test func `A token of a loan goes back when the test that was lent it ends`() throws {
        let loan = TokenLoan(of: pool)
        let made = try TokenLoan.$current.withValue(loan) { try SoftHSMToken.make() }
        #expect(try pool.take(label: "next") == nil)
        loan.end()
        #expect(try pool.take(label: "next")?.token.identity.serial == made.uri.serial)
    }

    @Test func `The tokens of two tests that run at a time are two`() throws {
        let (first, second) = (TokenLoan(of: pool), TokenLoan(of: pool))
        let one = try TokenLoan.$current.withValue(first) { try SoftHSMToken.make() }
        let two = try TokenLoan.$current.withValue(second) { try SoftHSMToken.make() }
        #expect(one.uri.serial != two.uri.serial)
    }
}
