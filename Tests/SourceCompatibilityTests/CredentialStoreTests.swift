// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeyfobTestSupport
import Security
import Testing

/// The wrapper of 2019 on a real token.
@Suite(.lendsTokens) struct CredentialStoreTests {
    private let store = CredentialStore(place: ServicePlace(service: "shop"))

    private func status(_ body: () throws -> Void) -> CredentialStoreError? {
        do {
            try body()
            return nil
        } catch {
            return error as? CredentialStoreError
        }
    }

    @Test func `A value comes back in its type`() throws {
        try withOwnKeychain { _ in
            try store.save("swordfish", account: "ada")
            #expect(try store.load(account: "ada") == "swordfish")
        }
    }

    @Test func `A value that is not there is nil`() throws {
        try withOwnKeychain { _ in
            let found = try store.load(String.self, account: "ada")
            #expect(found == nil)
        }
    }

    @Test func `Saving again updates and keeps the item`() throws {
        try withOwnKeychain { _ in
            try store.save("old", account: "ada")
            let before = try store.info(account: "ada")
            try store.save("new", account: "ada")
            let after = try store.info(account: "ada")
            #expect(try store.load(account: "ada") == "new")
            #expect(after.persistentReference == before.persistentReference && after.created == before.created)
            #expect(after.modified > before.modified)
        }
    }

    @Test func `What an item says of itself can be read`() throws {
        try withOwnKeychain { _ in
            try store.save("swordfish", account: "ada", label: "Ada's")
            let info = try store.info(account: "ada")
            #expect(info.account == "ada" && !info.persistentReference.isEmpty)
            #expect(abs(info.created.timeIntervalSinceNow) < 600)
        }
    }

    @Test func `Errors are the statuses by name`() throws {
        try withOwnKeychain { _ in
            #expect(status { _ = try store.info(account: "nobody") } == .itemNotFound)
            let foreign = CredentialStore(place: ServicePlace(service: "shop", accessGroup: "someone.else"))
            #expect(status { try foreign.save("x", account: "ada") } == .missingEntitlement)
            #expect(CredentialStoreError(status: -99999) == .unexpected)
        }
    }

    @Test func `An error has a text`() {
        let text = CredentialStoreError.itemNotFound.errorDescription
        #expect(text?.isEmpty == false && CredentialStoreError.itemNotFound.localizedDescription == text)
    }

    @Test func `Removing twice is no error`() throws {
        try withOwnKeychain { _ in
            try store.save("swordfish", account: "ada")
            try store.remove(account: "ada")
            try store.remove(account: "ada")
            #expect(try store.accounts().isEmpty)
        }
    }

    @Test func `Accounts come in the order in which they were added`() throws {
        try withOwnKeychain { _ in
            for account in ["carol", "ada", "bob"] { try store.save("x", account: account) }
            #expect(try store.accounts() == ["carol", "ada", "bob"])
        }
    }

    @Test func `Removing all leaves other places alone`() throws {
        try withOwnKeychain { _ in
            let other = CredentialStore(place: ServicePlace(service: "other"))
            try store.save("1", account: "ada")
            try other.save("2", account: "ada")
            try store.removeAll()
            try store.removeAll()
            #expect(try store.accounts().isEmpty)
            #expect(try other.load(account: "ada") == "2")
        }
    }

    @Test func `A group that the program is given is another place`() throws {
        try withOwnKeychain(groups: ["TEAM.shared"]) { _ in
            let shared = CredentialStore(place: ServicePlace(service: "shop", accessGroup: "TEAM.shared"))
            let own = CredentialStore(place: ServicePlace(service: "shop", accessGroup: "com.example.app"))
            try shared.save("shared", account: "ada")
            try own.save("own", account: "ada")
            #expect(try shared.load(account: "ada") == "shared")
            #expect(try own.load(account: "ada") == "own")
        }
    }

    @Test func `Servers differ by protocol, port and path`() throws {
        try withOwnKeychain { _ in
            let places = ["https://a.example", "http://a.example", "https://a.example:8443", "https://a.example/x"]
            let stores = places.compactMap { URL(string: $0) }.map { CredentialStore(place: ServerPlace(url: $0)) }
            for (number, store) in stores.enumerated().reversed() { try store.save("\(number)", account: "ada") }
            #expect(try stores[1].load(account: "ada") == "1")
            #expect(try stores[2].load(account: "ada") == "2")
            #expect(try stores[3].load(account: "ada") == "3")
            // The query of the first names neither port nor path, so it means all three; the oldest answers.
            #expect(try stores[0].load(account: "ada") == "3")
            #expect(try stores[0].accounts().count == 3)
        }
    }

    @Test func `The functions can be replaced by others of their type`() throws {
        var store = store
        store.keychain.add = { _, _ in errSecNotAvailable }
        store.keychain.delete = { _ in errSecInteractionNotAllowed }
        #expect(status { try store.save("x", account: "ada") } == .notAvailable)
        #expect(status { try store.remove(account: "ada") } == .interactionNotAllowed)
    }

    @Test func `A locked keychain gives items of the class that outlives the lock`() throws {
        try withOwnKeychain { keychain in
            try store.save("swordfish", account: "ada")
            try keychain.engine.lock()
            #expect(try store.load(account: "ada") == "swordfish")
        }
    }
}
