// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct ItemClassTests {
    @Test func `Without class and reference a query is a bad parameter`() {
        withKeychain { _ in #expect(exists([kSecAttrAccount: "bob"]) == errSecParam) }
    }

    @Test func `A class that is no string is a bad parameter`() {
        withKeychain { _ in
            #expect(exists([kSecClass: 1]) == errSecParam)
            #expect(exists([kSecClass: Data("genp".utf8)]) == errSecParam)
        }
    }

    @Test(arguments: ["apls", "", "GENP", "genp ", "foo"])
    func `An unknown class is no such class`(_ name: String) {
        withKeychain { _ in
            #expect(add([kSecClass: name]) == errSecNoSuchClass)
            #expect(delete([kSecClass: name]) == errSecNoSuchClass)
        }
    }

    @Test(arguments: ["cert", "keys", "idnt"])
    func `Certificates, keys and identities are known and not implemented`(_ name: String) {
        withKeychain { _ in
            #expect(add([kSecClass: name]) == errSecUnimplemented)
            #expect(exists([kSecClass: name, kSecReturnRef: true]) == errSecUnimplemented)
            #expect(update([kSecClass: name], [:]) == errSecUnimplemented)
            #expect(delete([kSecClass: name]) == errSecUnimplemented)
        }
    }

    @Test func `The class of a persistent reference stands in for the class`() throws {
        try withKeychain { _ in
            let reference = try #require(adding(password("bob", [kSecReturnPersistentRef: true])).object as? Data)
            #expect(exists([kSecValuePersistentRef: reference]) == errSecSuccess)
            #expect(exists([kSecValuePersistentRef: reference, kSecClass: "genp"]) == errSecSuccess)
        }
    }

    @Test func `A class beside a reference of another is no such class`() throws {
        try withKeychain { _ in
            let reference = try #require(adding(password("bob", [kSecReturnPersistentRef: true])).object as? Data)
            let query: Query = [kSecValuePersistentRef: reference, kSecClass: kSecClassInternetPassword]
            #expect(exists(query) == errSecNoSuchClass)
            #expect(delete(query) == errSecNoSuchClass)
            #expect(update(query, [:]) == errSecNoSuchClass)
        }
    }

    @Test func `A value reference that is none is a bad parameter`() {
        withKeychain { _ in
            #expect(add([kSecValueRef: "key"]) == errSecParam)
            #expect(exists(passwords([kSecValueRef: Data()])) == errSecParam)
        }
    }

    @Test func `Items need neither attributes nor a value, and there is one without`() {
        withKeychain { _ in
            #expect(add([kSecClass: kSecClassGenericPassword]) == errSecSuccess)
            #expect(add([kSecClass: kSecClassGenericPassword]) == errSecDuplicateItem)
            #expect(add([kSecClass: kSecClassInternetPassword]) == errSecSuccess)
        }
    }

    @Test(arguments: ["svce", "gena", "klbl", "subj"])
    func `An internet password has no such attribute`(_ key: String) {
        withKeychain { _ in
            #expect(add([kSecClass: kSecClassInternetPassword, key as CFString: "v"]) == errSecNoSuchAttr)
        }
    }

    @Test(arguments: ["acct", "svce", "gena", "labl", "desc", "icmt", "crtr", "type", "invi", "nega", "cusi", "scrp"])
    func `A generic password is found by each of its attributes`(_ key: String) {
        withKeychain { _ in
            let attribute: Query = [key as CFString: "7"]
            add(password("bob", attribute))
            #expect(exists(passwords(attribute)) == errSecSuccess)
            #expect(exists(passwords([key as CFString: "8"])) == errSecItemNotFound)
        }
    }

    @Test(arguments: ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path", "labl", "desc", "icmt", "crtr", "type"])
    func `An internet password is found by each of its attributes`(_ key: String) {
        withKeychain { _ in
            let item: Query = [kSecClass: kSecClassInternetPassword, key as CFString: "7"]
            add(item)
            #expect(exists(item) == errSecSuccess)
            #expect(exists([kSecClass: kSecClassInternetPassword, key as CFString: "8"]) == errSecItemNotFound)
        }
    }
}
