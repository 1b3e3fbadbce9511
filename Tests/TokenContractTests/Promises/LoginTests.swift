// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

extension TokenContract {
    /// What a login opens, a logout closes, and what stays in between: the ground that the accessibility classes stand on.
    @Suite struct LoginTests {
        private func use(_ key: PrivateKey, _ token: Token, _ handle: ObjectHandle? = nil) throws -> Bool {
            try token.withSession { (session) throws(PKCS11Error) in try key.opens(session, with: handle) }
        }

        @Test func `A login is that of all sessions, whenever they were opened`() throws {
            try Bench.loggedOut { token in
                let before = try token.openSession(readWrite: false)
                #expect(try !before.isLoggedIn())
                try token.login(try TestToken.shared.pin())
                let after = try token.openSession(readWrite: false)
                #expect(try before.isLoggedIn())
                #expect(try after.isLoggedIn())
                try token.logout()
                #expect(try !before.isLoggedIn())
                #expect(try !after.isLoggedIn())
            }
        }

        @Test func `Logging in again is success`() throws {
            try Bench.loggedIn { token in
                try token.login(try TestToken.shared.pin())
                #expect(token.isLoggedIn)
            }
        }

        @Test func `Every session uses a private key of the token`() throws {
            try Bench.loggedIn { token in
                try PrivateKey.with(on: token) { session, key in
                    #expect(try key.opens(session))
                    #expect(try use(key, token))
                    let own = try token.openSession(readWrite: false)
                    #expect(try key.opens(own))
                }
            }
        }

        @Test func `After a logout the old handle of a private key is refused`() throws {
            try Bench.loggedIn { token in
                try PrivateKey.with(on: token) { session, key in
                    #expect(try key.opens(session))
                    try token.logout()
                    let failed = Bench.failure { _ = try use(key, token) }
                    if let value = failed?.returnValue {
                        #expect(value.kind == .notLoggedIn || value.kind == .objectGone)
                    }
                    keep(.oldHandle, failed == nil ? "works" : "refused")
                    try token.login(try TestToken.shared.pin())
                }
            }
        }

        @Test func `After a logout a private key is not found, and after a login it is found and works`() throws {
            try Bench.loggedIn { token in
                try PrivateKey.with(on: token) { _, key in
                    try token.logout()
                    let found = try token.withSession { (session) throws(PKCS11Error) in try key.found(session) }
                    keep(.foundLoggedOut, Answer(found != nil))
                    try token.login(try TestToken.shared.pin())
                    let again = try token.withSession { (session) throws(PKCS11Error) in try key.found(session) }
                    let handle: ObjectHandle = try #require(again)
                    #expect(try use(key, token, handle))
                }
            }
        }

        @Test func `Four threads with a session each use one private key`() throws {
            try Bench.loggedIn { token in
                try PrivateKey.with(on: token) { _, key in
                    let failures = Shared<[String]>([])
                    Threads.run(4) { _ in
                        do {
                            for _ in 0..<5 {
                                let session = try token.openSession(readWrite: false)
                                guard try key.opens(session) else { throw PKCS11Error(.malformed("other bytes")) }
                            }
                        } catch {
                            failures.change { $0.append("\(error)") }
                        }
                    }
                    #expect(failures.now == [])
                    keep(.threads, Answer(failures.now.isEmpty))
                }
            }
        }

        @Test func `Sessions that eight threads open and close at once are not lost`() throws {
            // A card takes its time.
            let rounds = TokenKind.current == .opensc ? 5 : 1_000
            try Bench.loggedIn { token in
                let failures = Shared<[String]>([])
                Threads.run(8) { _ in
                    do {
                        for _ in 0..<rounds {
                            let session = try token.openSession(readWrite: false)
                            guard try session.isLoggedIn() else { throw PKCS11Error(.malformed("logged out")) }
                        }
                    } catch {
                        failures.change { $0.append("\(error)") }
                    }
                }
                #expect(failures.now == [])
            }
        }

        @Test func `Sessions that are used one after the other keep a login`() throws {
            try Bench.loggedIn { token in
                try PrivateKey.with(on: token) { _, key in
                    for _ in 0..<10 {
                        let session = try token.openSession(readWrite: false)
                        #expect(try key.opens(session))
                    }
                }
                #expect(token.isLoggedIn)
            }
        }
    }
}
