// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeyfobTestSupport
import LocalAuthentication
import Security
import Testing

/// The wrapper of 2022 on a real token.
@Suite(.lendsTokens) struct KeptTests {
    private struct Session: Codable, Equatable {
        var token: String
        var expires: Date
    }

    private final class Settings {
        @Kept("session", KeepOptions(service: "shop")) var session: Session?
        @Kept("tries", KeepOptions(service: "shop", accessibility: .afterFirstUnlock)) var tries: Int?
    }

    private let session = Session(token: "abc", expires: Date(timeIntervalSinceReferenceDate: 1000))

    @Test func `A value comes back`() throws {
        try withOwnKeychain { _ in
            let settings = Settings()
            #expect(settings.session == nil)
            settings.session = session
            settings.tries = 3
            #expect(Settings().session == session && Settings().tries == 3)
        }
    }

    @Test func `Assigning changes a value and nil removes it`() throws {
        try withOwnKeychain { _ in
            let settings = Settings()
            settings.tries = 1
            settings.tries = 2
            #expect(settings.tries == 2)
            settings.tries = nil
            settings.tries = nil
            #expect(settings.tries == nil)
        }
    }

    @Test func `Attributes are found by the constants`() throws {
        try withOwnKeychain { _ in
            let settings = Settings()
            settings.tries = 1
            let attributes = try settings.$tries.attributes()
            #expect(attributes[kSecAttrAccount] as? String == "tries")
            #expect(attributes[AnyHashable(kSecAttrService)] as? String == "shop")
            #expect(attributes[kSecAttrService as String] as? String == "shop")
            let code = attributes[kSecAttrAccessible] as? String
            #expect(code.flatMap { KeepOptions.Accessibility(rawValue: $0) } == .afterFirstUnlock)
        }
    }

    @Test func `A synchronizable value is another value`() throws {
        try withOwnKeychain { _ in
            let local = Kept<Int>("n", KeepOptions(service: "shop"))
            let roaming = Kept<Int>("n", KeepOptions(service: "shop", isSynchronizable: true))
            try local.write(1)
            try roaming.write(2)
            #expect(try local.read() == 1)
            #expect(try roaming.read() == 2)
        }
    }

    @Test func `An access control that asks for nobody keeps a value`() throws {
        try withOwnKeychain { _ in
            let kept = Kept<Int>("n", KeepOptions(service: "shop", accessibility: .whenUnlocked, policy: []))
            try kept.write(1)
            #expect(try kept.read() == 1)
            let control = try kept.attributes()[kSecAttrAccessControl] as AnyObject
            #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
            #expect((control as? SecAccessControl) != nil)
        }
    }

    @Test func `A value that asks for a person is refused and not kept unguarded`() throws {
        try withOwnKeychain { _ in
            let kept = Kept<Int>("n", KeepOptions(service: "shop", policy: .userPresence))
            #expect(throws: KeepError.status(errSecUnimplemented)) { try kept.write(1) }
            let found = try kept.read()
            #expect(found == nil)
        }
    }

    @Test func `A contradiction in the access control is thrown as an error of the system`() throws {
        let kept = Kept<Int>("n", KeepOptions(service: "shop", policy: [.or, .and]))
        try withOwnKeychain { _ in
            let error = #expect(throws: (any Error).self) { try kept.write(1) }
            #expect((error as NSError?)?.domain == NSOSStatusErrorDomain)
            #expect((error as NSError?)?.code == Int(errSecParam))
        }
    }

    @Test func `A context that forbids interaction does not keep an ordinary value from its owner`() throws {
        try withOwnKeychain { _ in
            let context = LAContext()
            context.interactionNotAllowed = true
            let kept = Kept<Int>("n", KeepOptions(service: "shop", context: context))
            try kept.write(1)
            #expect(try kept.read() == 1)
        }
    }

    @Test func `A locked keychain is an error and not an absent value`() throws {
        try withOwnKeychain { keychain in
            let kept = Kept<Int>("n", KeepOptions(service: "shop"))
            try kept.write(1)
            try keychain.engine.lock()
            #expect(throws: KeepError.status(errSecInteractionNotAllowed)) { try kept.read() }
            #expect(kept.wrappedValue == nil)
        }
    }

    @Test func `Accessibility by its name is what the constant says`() {
        #expect(KeepOptions.Accessibility(rawValue: "akpu") == .whenPasscodeSetThisDeviceOnly)
        #expect(KeepOptions.Accessibility(rawValue: kSecAttrAccessibleWhenUnlocked as String) == .whenUnlocked)
        #expect(KeepOptions.Accessibility(rawValue: "?") == nil)
    }
}
