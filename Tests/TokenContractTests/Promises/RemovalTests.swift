// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// A token that goes away and is back: its storage, its device, its card, its server.
    @Suite struct RemovalTests {
        /// Logs in and opens something with a private key that is found anew.
        private func use(_ token: Token, _ key: PrivateKey) throws {
            try token.login(try TestToken.shared.pin())
            let opens = try token.withSession { (session) throws(PKCS11Error) in
                guard let handle = try key.found(session) else {
                    throw PKCS11Error(function: "C_FindObjects", returnValue: .objectHandleInvalid)
                }
                return try key.opens(session, with: handle)
            }
            #expect(opens)
        }

        @Test func `A token that is away says so, and serves again when it is back`() throws {
            guard TokenPromises.expected(.removed) != .notTried else {
                // Its database stays open and goes on.
                keep(.removed, .notTried)
                keep(.returned, .notTried)
                return
            }
            let bench = TestToken.shared
            try Bench.loggedIn { token in
                try PrivateKey.with(on: token) { _, key in
                    try token.logout()
                    try bench.pull()
                    let away = Result { try use(token, key) }
                    try bench.insert()
                    guard case .failure(let error as PKCS11Error) = away else {
                        Issue.record("it is away and serves: \(away)")
                        return
                    }
                    keep(.removed, Answer(rawValue: error.returnValue?.name ?? "\(error.fault)"))
                    keep(.returned, try comesBack(token, key))
                }
            }
        }

        /// Makes the token serve again, by the least that does it.
        private func comesBack(_ token: Token, _ key: PrivateKey) throws -> Answer {
            if serves(token, key) { return "at once" }
            // As after every fault: the token is looked for again.
            if Bench.failure({ try token.findAgain() }) == nil, serves(token, key) { return "when found again" }
            #expect(try TestToken.shared.module.reinitialize())
            try token.findAgain()
            try use(token, key)
            return "after a new start"
        }

        private func serves(_ token: Token, _ key: PrivateKey) -> Bool {
            Bench.failure { try use(token, key) } == nil
        }
    }
}
