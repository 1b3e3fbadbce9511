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
