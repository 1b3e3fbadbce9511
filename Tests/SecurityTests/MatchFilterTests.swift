// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Security
internal import Testing

@Suite struct MatchFilterTests {
    private func web(_ server: Any, _ more: Query = [:]) -> Query {
        [kSecClass: kSecClassInternetPassword, kSecAttrServer: server].merging(more) { _, new in new }
    }

    private func servers(under host: Any) -> [String] {
        let (_, object) = copying([
            kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: host, kSecReturnAttributes: true,
            kSecMatchLimit: kSecMatchLimitAll,
        ])
        return (object as? [[String: Any]] ?? []).compactMap { $0["srvr"] as? String }
    }

    @Test func `A host finds itself and what lies under it`() {
        withKeychain { _ in
            for server in ["example.com", "www.example.com", "badexample.com", "a.b.example.com", "com", ""] {
                add(web(server))
            }
            #expect(servers(under: "example.com") == ["example.com", "www.example.com", "a.b.example.com"])
        }
    }

    @Test func `A server that is data is under no host`() {
        withKeychain { _ in
            add(web(Data("example.com".utf8)))
            #expect(servers(under: "example.com").isEmpty)
        }
    }

    @Test func `The first that fits is found, not the first that is stored`() {
        withKeychain { _ in
            add(web("other.org"))
            add(web("www.example.com"))
            let query: Query = [
                kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.com",
                kSecReturnAttributes: true,
            ]
            #expect((copying(query).object as? [String: Any])?["srvr"] as? String == "www.example.com")
        }
    }

    @Test func `A host that is no text is a bad parameter, on generic passwords not implemented`() {
        withKeychain { _ in
            let query: Query = [kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: 1]
            #expect(exists(query) == errSecParam)
            #expect(exists(passwords([kSecMatchHostOrSubdomainOfHost: "example.com"])) == errSecUnimplemented)
        }
    }

    @Test func `Issuers of a password are not implemented, and no filter without a name in them`() {
        withKeychain { _ in
            add(password())
            #expect(exists(passwords([kSecMatchIssuers: [Data([0x30, 0])]])) == errSecUnimplemented)
            #expect(exists(passwords([kSecMatchIssuers: "CN=x"])) == errSecSuccess)
            #expect(exists(passwords([kSecMatchIssuers: ["CN=x"]])) == errSecSuccess)
        }
    }

    @Test func `A policy that is none is a bad parameter`() {
        withKeychain { _ in #expect(exists(passwords([kSecMatchPolicy: "ssl"])) == errSecParam) }
    }

    @Test func `A filter of certificates does nothing on passwords, but its value must be right`() {
        withKeychain { _ in
            add(password())
            let right: Query = [
                kSecMatchValidOnDate: Date(), kSecMatchTrustedOnly: true, kSecMatchEmailAddressIfPresent: "a@b",
            ]
            #expect(exists(passwords(right)) == errSecSuccess)
            for (key, value) in [
                (kSecMatchValidOnDate, "today"), (kSecMatchTrustedOnly, 1), (kSecMatchTrustedOnly, "yes"),
                (kSecMatchEmailAddressIfPresent, 1),
            ] as [(CFString, Any)] {
                #expect(exists(passwords([key: value])) == errSecParam, "\(key)")
            }
        }
    }

    @Test func `An item list is a bad parameter in copy and update, and ignored in delete`() {
        withKeychain { _ in
            add(password())
            #expect(exists(passwords([kSecUseItemList: []])) == errSecParam)
            #expect(update(passwords([kSecUseItemList: []]), [:]) == errSecParam)
            #expect(delete(passwords([kSecUseItemList: []])) == errSecSuccess)
        }
    }
}
