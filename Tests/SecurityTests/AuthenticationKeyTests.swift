// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobModel
internal import KeyfobTestSupport
internal import Testing

@testable internal import Security

@Suite struct AuthenticationKeyTests {
    private final class Context: AuthenticationContext {
        let interactionNotAllowed: Bool

        init(interactionNotAllowed: Bool) { self.interactionNotAllowed = interactionNotAllowed }
    }

    private func wish(_ more: Query) throws -> AuthenticationUI {
        try MatchRequest(parsing: passwords(more) as CFDictionary).authenticationUI
    }

    @Test func `A person may be asked unless the query says no`() throws {
        #expect(try wish([:]) == .allow)
        #expect(try wish([kSecUseAuthenticationUI: kSecUseAuthenticationUIAllow]) == .allow)
        #expect(try wish([kSecUseNoAuthenticationUI: false]) == .allow)
        #expect(try wish([kSecUseAuthenticationContext: Context(interactionNotAllowed: false)]) == .allow)
    }

    @Test func `Each way of saying no is one`() throws {
        #expect(try wish([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) == .fail)
        #expect(try wish([kSecUseNoAuthenticationUI: true]) == .fail)
        #expect(try wish([kSecUseAuthenticationContext: Context(interactionNotAllowed: true)]) == .fail)
    }

    @Test func `Skipping is stronger than failing`() throws {
        #expect(try wish([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]) == .skip)
        let both: Query = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip, kSecUseNoAuthenticationUI: true]
        #expect(try wish(both) == .skip)
    }

    @Test func `Another wish is ignored`() throws {
        #expect(try wish([kSecUseAuthenticationUI: "u_AuthUIX"]) == .allow)
        #expect(try wish([kSecUseAuthenticationUI: 5]) == .allow)
    }

    @Test func `Skipping is legal in copy only`() {
        let skip = passwords([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
        withKeychain { _ in
            add(password())
            #expect(exists(skip) == errSecSuccess)
            #expect(update(skip, [:]) == errSecParam)
            #expect(delete(skip) == errSecParam)
        }
    }

    @Test func `A context that is none is a bad parameter`() {
        withKeychain { _ in
            #expect(exists(passwords([kSecUseAuthenticationContext: "context"])) == errSecParam)
            #expect(exists(passwords([kSecUseAuthenticationContext: NSObject()])) == errSecParam)
        }
    }

    @Test func `A context with a credential reference is a bad parameter`() {
        let both: Query = [
            kSecUseAuthenticationContext: Context(interactionNotAllowed: false),
            kSecUseCredentialReference: Data([1]),
        ]
        withKeychain { _ in
            #expect(add(password("a", both)) == errSecParam)
            #expect(exists(passwords(both)) == errSecParam)
        }
    }

    @Test func `The wish reaches an update`() throws {
        let query = passwords([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]) as CFDictionary
        let request = try UpdateRequest(parsing: query, changes: [:])
        #expect(request.authenticationUI == .fail)
    }
}
