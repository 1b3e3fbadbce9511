// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// A keychain on a token that makes no keys: there is none.
enum NoKeychain {
    /// Tries to make one, and looks at what is left.
    static func check(_ policy: KeyPolicy) throws {
        let before = try keys()
        #expect(code { _ = try TokenKeychain(policy) } == .unimplemented)
        let after = try keys()
        #expect(after == before)
    }

    private static func keys() throws -> [String] {
        try Bench.loggedIn { token in
            let session = try token.openSession(readWrite: false)
            // Objects of sessions are other tests', and go when a module is started anew.
            return try TokenKeychain.keys(session).filter { key in
                try session.bool(of: key.handle, .token) == true
            }.map(\.label)
        }
    }
}

/// The code of the error that `body` throws, or nil if it throws none.
func code(_ body: () throws -> Void) -> KeychainError.Code? {
    do {
        try body()
        return nil
    } catch let error as KeychainError {
        return error.code
    } catch {
        return .internalError
    }
}
