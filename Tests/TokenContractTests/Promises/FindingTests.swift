// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// How a token is found.
    @Suite struct FindingTests {
        private func labelOnly(_ label: String) throws -> TokenURI {
            try TokenURI("pkcs11:token=" + label.replacing(" ", with: "%20"))
        }

        @Test func `A token is found by its label, the padding aside`() throws {
            try Bench.loggedOut { token in
                let found = try Token.find(try labelOnly(token.identity.label), in: [TestToken.shared.module])
                #expect(!token.identity.label.hasSuffix(" "))
                keep(.foundByLabel, Answer(found.identity == token.identity))
            }
        }

        @Test func `A token is found by the URI it says it has`() throws {
            try Bench.loggedOut { token in
                let uri = try TokenURI(token.uri.string)
                #expect(try Token.find(uri, in: [TestToken.shared.module]).identity == token.identity)
            }
        }

        @Test func `The beginning of a label names no token`() throws {
            let label = try TestToken.shared.open().identity.label
            let failed = Bench.failure {
                _ = try Token.find(try labelOnly(String(label.dropLast())), in: [TestToken.shared.module])
            }
            guard case .tokenNotFound = failed?.fault else {
                Issue.record("wrong error: \(String(describing: failed))")
                return
            }
        }

        @Test func `A token says a serial number, or none that names it`() throws {
            let serial = try TestToken.shared.open().identity.serial
            keep(.serial, Answer(!serial.allSatisfy { $0 == "0" }))
        }

        @Test func `Two tokens of one label are told and not guessed`() throws {
            let bench = TestToken.shared
            let label = "keyfob twin \(UInt32.random(in: 0 ... .max))"
            // Each module has its own way of saying no.
            let refusal = Bench.failure {
                for _ in 0..<2 {
                    try bench.makeToken(label: label)
                    // The server of p11-kit shows the next blank slot when it is started anew.
                    _ = try bench.module.reinitialize()
                }
            }
            #expect(refusal == nil || refusal?.function == "C_InitToken")
            let twins = refusal == nil
            if twins {
                let failed = Bench.failure { _ = try Token.find(try labelOnly(label), in: [bench.module]) }
                guard case .ambiguous(let candidates) = failed?.fault else {
                    Issue.record("wrong error: \(String(describing: failed))")
                    return
                }
                #expect(candidates.count == 2)
            }
            keep(.twins, Answer(twins))
        }

        @Test func `A token that is looked for again is the same, logged out`() throws {
            try Bench.loggedIn { token in
                try token.findAgain()
                #expect(!token.isLoggedIn)
                #expect(try token.info().identity == token.identity)
            }
        }

        @Test func `A token is found again after its module was started anew, logged out`() throws {
            try Bench.loggedIn { token in
                #expect(try TestToken.shared.module.reinitialize())
                try token.findAgain()
                #expect(!token.isLoggedIn)
                try token.login(try TestToken.shared.pin())
                let opens = try PrivateKey.with(on: token) { session, key in try key.opens(session) }
                #expect(opens)
            }
        }

        @Test func `A token is found again when others were made, whatever its slot is now`() throws {
            try Bench.loggedOut { token in
                // Where it can; where it cannot the slots may still change with the start.
                _ = Bench.failure { try TestToken.shared.makeToken(label: "keyfob another") }
                #expect(try TestToken.shared.module.reinitialize())
                try token.findAgain()
                #expect(try token.info().identity == token.identity)
            }
        }
    }
}
