// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// Lends the token under test, and leaves it logged out.
enum Bench {
    /// The token logged out.
    static func loggedOut<R>(_ body: (Token) throws -> R) throws -> R {
        let token = try TestToken.shared.open()
        let result = Result { try body(token) }
        try token.logout()
        return try result.get()
    }

    /// The token logged in by the user.
    static func loggedIn<R>(_ body: (Token) throws -> R) throws -> R {
        try loggedOut { token in
            try token.login(try TestToken.shared.pin())
            return try body(token)
        }
    }

    /// Whether a token does something: no if it says that it does not.
    ///
    /// - Parameter refusal: what is no here besides what always is.
    /// - Throws: whatever is no answer to the question.
    static func does(or refusal: ReturnValue? = nil, _ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as PKCS11Error {
            guard let value = error.returnValue, refusals.contains(value) || value == refusal else { throw error }
            return false
        }
    }

    /// How a token says that it does not do something.
    static let refusals: Set<ReturnValue> = [
        .mechanismInvalid, .functionNotSupported, .argumentsBad, .templateInconsistent, .attributeValueInvalid,
        .attributeTypeInvalid, .keyTypeInconsistent, .keyFunctionNotPermitted, .mechanismParamInvalid,
        .tokenWriteProtected, .userTypeInvalid, .actionProhibited,
    ]

    /// The error of a call that must fail; nil if it did not.
    static func failure(_ body: () throws -> Void) -> PKCS11Error? {
        do {
            try body()
            return nil
        } catch let error as PKCS11Error {
            return error
        } catch {
            return PKCS11Error(.malformed("\(error)"))
        }
    }
}
