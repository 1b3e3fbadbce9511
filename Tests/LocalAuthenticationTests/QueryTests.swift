// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import LocalAuthentication
internal import Testing

@testable internal import Security

/// What the SecItem calls make of a context.
@Suite struct QueryTests {
    private func wish(_ context: LAContext) throws -> AuthenticationUI {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecUseAuthenticationContext as String: context,
        ]
        return try MatchRequest(parsing: query as CFDictionary).authenticationUI
    }

    @Test func `A context that forbids interaction reaches the query`() throws {
        let context = LAContext()
        #expect(try wish(context) == .allow)
        context.interactionNotAllowed = true
        #expect(try wish(context) == .fail)
    }

    @Test func `A context of the program's own reaches the query`() throws {
        final class Quiet: LAContext {
            override var interactionNotAllowed: Bool {
                get { true }
                set { Issue.record("nobody sets it: \(newValue)") }
            }
        }
        #expect(try wish(Quiet()) == .fail)
    }

    @Test func `Ordinary items do not care about the context`() {
        let context = LAContext()
        context.interactionNotAllowed = true
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "ada", kSecUseAuthenticationContext: context,
        ]
        ServiceSelection.$scoped.withValue(ModelService()) {
            #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
        }
    }
}

/// What becomes of a context's credentials.
@Suite struct QueryCredentialTests {
    private func credentials(_ context: LAContext) throws -> Credentials? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecUseAuthenticationContext as String: context,
        ]
        return try MatchRequest(parsing: query as CFDictionary).credentials
    }

    @Test func `The PIN and the password of a context reach the request`() throws {
        let context = LAContext()
        #expect(try credentials(context) == nil)
        context.setCredential(Data("123456".utf8), type: .smartCardPIN)
        #expect(try credentials(context)?.has(.pin) == true)
        #expect(try credentials(context)?.has(.applicationPassword) == false)
        context.setCredential(Data("open sesame".utf8), type: .applicationPassword)
        #expect(try credentials(context)?.has(.applicationPassword) == true)
    }

    @Test func `An empty credential is none`() throws {
        let context = LAContext()
        context.setCredential(Data(), type: .smartCardPIN)
        #expect(try credentials(context) == nil)
    }

    @Test func `A context that was invalidated has none`() throws {
        let context = LAContext()
        context.setCredential(Data("123456".utf8), type: .smartCardPIN)
        context.invalidate()
        #expect(try credentials(context) == nil)
    }
}
