// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import KeyfobTestSupport
internal import Security
internal import Testing

/// What an `LAContext` is to the query parser.
private final class Context: AuthenticationContext {
    let interactionNotAllowed: Bool

    init(interactionNotAllowed: Bool = false) {
        self.interactionNotAllowed = interactionNotAllowed
    }
}

@Suite(.lendsTokens) struct MatchTests {
    @Test(arguments: Mode.allCases, referenceRows)
    func `Every row of section 6 5 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    @Test(arguments: Mode.allCases, hostRows + filterRows + ignoredRows)
    func `Every row of section 6 6 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    @Test(arguments: Mode.allCases, authenticationRows)
    func `Every row of section 6 8 holds`(mode: Mode, row: Row) throws { try row.run(mode) }

    /// A copy by the reference of an item “bob”, with `more`.
    private static func byReference(_ more: Query = [:]) -> Answer {
        add(password())
        return copying(referred(reference(genp()), more))
    }

    private static let referenceRows: [Row] = [
        Row("6.5 ref and D") { #expect(byReference([kSecReturnData: true]).data == bytes("bob")) },
        Row("6.5 ref and A") {
            #expect(byReference([kSecReturnAttributes: true]).dictionary?["acct"] as? String == "bob")
        },
        Row("6.5 ref and limit one") {
            #expect(byReference([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]).data == bytes("bob"))
        },
        Row("6.5 ref and an array limit is an array of one") {
            let answer = byReference([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
            #expect(answer.object as? [Data] == [bytes("bob")])
        },
        Row("6.5 ref and limit 0", gives: errSecItemNotFound) { byReference([kSecMatchLimit: 0]).status },
        Row("6.5 ref and the same class", gives: errSecSuccess) {
            byReference([kSecClass: kSecClassGenericPassword]).status
        },
        Row("6.5 ref and sync Any", gives: errSecSuccess) {
            byReference([kSecAttrSynchronizable: kSecAttrSynchronizableAny]).status
        },
        Row("6.5 ref and sync true", gives: errSecParam) { byReference([kSecAttrSynchronizable: true]).status },
        Row("6.5 ref and sync false", gives: errSecParam) { byReference([kSecAttrSynchronizable: false]).status },
        Row("6.5 ref and agrp", gives: errSecParam) { byReference([kSecAttrAccessGroup: ownGroup]).status },
        Row("6.5 ref and labl", gives: errSecParam) { byReference([kSecAttrLabel: "l"]).status },
        Row("6.5 ref and its own acct", gives: errSecParam) { byReference([kSecAttrAccount: "bob"]).status },
        Row("6.5 ref and pdmn", gives: errSecParam) { byReference([kSecAttrAccessible: "ak"]).status },
        Row("6.5 ref and another class", gives: errSecNoSuchClass) {
            byReference([kSecClass: kSecClassInternetPassword]).status
        },
        Row("6.5 ref that is a string", gives: errSecParam) { find([kSecValuePersistentRef: "genp"]) },
        Row("6.5 ref that is empty", gives: errSecParam) { find([kSecValuePersistentRef: Data()]) },
        Row("6.5 ref that is too short", gives: errSecParam) {
            add(password())
            return find(referred(reference(genp())?.dropLast()))
        },
        Row("6.5 ref that is too long", gives: errSecParam) {
            add(password())
            return find(referred((reference(genp()) ?? Data()) + [0]))
        },
        Row("6.5 ref with an unknown class code", gives: errSecParam) {
            find([kSecValuePersistentRef: bytes("xxxx") + Data(repeating: 0, count: 16)])
        },
        Row("6.5 ref of nothing", gives: errSecItemNotFound) {
            find([kSecValuePersistentRef: bytes("genp") + Data(repeating: 0, count: 16)])
        },
        Row("6.5 ref of a deleted item", gives: errSecItemNotFound) {
            add(password())
            let old = reference(genp())
            delete(genp())
            return find(referred(old))
        },
        Row("6.5 ref of an item in a group that the caller lacks", gives: errSecItemNotFound) {
            add(password())
            let foreign = reference(genp())
            return try asProgram(groups: [otherGroup()]) { find(referred(foreign)) }
        },
        Row("6.5 update by ref and a matching attribute", gives: errSecSuccess) {
            add(password())
            return update(referred(reference(genp()), [kSecAttrAccount: "bob"]), [kSecAttrLabel: "l"])
        },
        Row("6.5 update by ref and an attribute that does not match", gives: errSecItemNotFound) {
            add(password())
            return update(referred(reference(genp()), [kSecAttrAccount: "eve"]), [kSecAttrLabel: "l"])
        },
        Row("6.5 delete by ref and an attribute that does not match", gives: errSecItemNotFound) {
            add(password())
            return delete(referred(reference(genp()), [kSecAttrService: "bank"]))
        },
        Row("6.5 delete by ref and a matching attribute", gives: errSecSuccess) {
            add(password())
            return delete(referred(reference(genp()), [kSecAttrService: "shop"]))
        },
    ]

    private static var hosts: [Any] {
        [
            "example.org", "www.example.org", "a.b.example.org", "myexample.org", "example.org.evil", "EXAMPLE.org",
            Data("example.org".utf8), "",
        ]
    }

    /// The labels of the servers above that a host finds.
    private static func found(_ host: Any, limit: Any = kSecMatchLimitAll) -> [String] {
        for (index, server) in hosts.enumerated() { add(inet([kSecAttrServer: server, kSecAttrPort: index + 1])) }
        let query = inet([
            kSecMatchHostOrSubdomainOfHost: host, kSecMatchLimit: limit, kSecReturnAttributes: true,
        ])
        let object = copying(query).object
        let dictionaries = object as? [[String: Any]] ?? (object as? [String: Any]).map { [$0] } ?? []
        return dictionaries.map { $0["srvr"] as? String ?? "?" }
    }

    private static let hostRows: [Row] = [
        Row("6.6 host finds itself and its subdomains, text only") {
            #expect(found("example.org") == ["example.org", "www.example.org", "a.b.example.org"])
        },
        Row("6.6 a subdomain finds itself alone") { #expect(found("www.example.org") == ["www.example.org"]) },
        Row("6.6 a host that no server belongs to") { #expect(found("nowhere.org").isEmpty) },
        Row("6.6 limit one gives the first that passes, not the first stored") {
            #expect(found("b.example.org", limit: kSecMatchLimitOne) == ["a.b.example.org"])
        },
        Row("6.6 limit 2 gives the first two that pass") {
            #expect(found("example.org", limit: 2) == ["example.org", "www.example.org"])
        },
        Row("6.6 host with a class of its own only", gives: errSecUnimplemented) {
            add(password())
            return find(genp([kSecMatchHostOrSubdomainOfHost: "example.org"]))
        },
        Row("6.6 host that is no string", gives: errSecParam) {
            find(inet([kSecMatchHostOrSubdomainOfHost: Data([1])]))
        },
        Row("6.6 host that is a number", gives: errSecParam) { find(inet([kSecMatchHostOrSubdomainOfHost: 5])) },
        Row("6.6 host together with an attribute") {
            add(inet([kSecAttrServer: "a.org", kSecAttrAccount: "x"]))
            add(inet([kSecAttrServer: "b.a.org", kSecAttrAccount: "y"]))
            let query = inet([kSecMatchHostOrSubdomainOfHost: "a.org", kSecAttrAccount: "y"])
            #expect(attributes(query)["srvr"] as? String == "b.a.org")
        },
    ]

    private static let filterRows: [Row] = ["genp", "inet"].flatMap { itemClass -> [Row] in
        func row(_ name: String, _ status: OSStatus, _ key: CFString, _ value: @escaping @Sendable () -> Any) -> Row {
            let key = key as String
            return Row("6.6 \(itemClass): \(name)", gives: status) {
                add([kSecClass: itemClass])
                return find([kSecClass: itemClass, NSString(string: key): value()])
            }
        }
        return [
            row("issuers", errSecUnimplemented, kSecMatchIssuers) { [Data([0x30, 0])] },
            row("issuers that are no array", errSecSuccess, kSecMatchIssuers) { "CN=x" },
            row("issuers without a valid element", errSecSuccess, kSecMatchIssuers) { ["CN=x"] },
            row("a policy that is none", errSecParam, kSecMatchPolicy) { "policy" },
            row("valid on a date", errSecSuccess, kSecMatchValidOnDate) { Date() },
            row("valid now", errSecSuccess, kSecMatchValidOnDate) { NSNull() },
            row("valid on something else", errSecParam, kSecMatchValidOnDate) { "today" },
            row("trusted only", errSecSuccess, kSecMatchTrustedOnly) { true },
            row("trusted only that is no boolean", errSecParam, kSecMatchTrustedOnly) { "yes" },
            row("an e-mail address", errSecSuccess, kSecMatchEmailAddressIfPresent) { "a@example.org" },
            row("an e-mail address that is no string", errSecParam, kSecMatchEmailAddressIfPresent) { 5 },
        ]
    }

    private static let ignoredRows: [Row] =
        [
            "m_ItemList", "m_SearchList", "m_CaseInsensitive", "m_SubjectContains", "m_SubjectStartsWith",
            "m_SubjectEndsWith", "m_SubjectWholeString", "m_DiacriticInsensitive", "m_WidthInsensitive", "m_Other",
        ].map { key in
            Row("6.6 \(key) is ignored whatever its value") {
                add(password())
                for value: Any in [true, "x", 5, [String](), Data()] {
                    #expect(find(genp([NSString(string: key): value])) == errSecSuccess)
                }
                let other = genp([NSString(string: key): true, kSecAttrAccount: "BOB"])
                #expect(find(other) == errSecItemNotFound, "compared exactly all the same")
            }
        } + [
            Row("6.6 kSecUseItemList in a copy", gives: errSecParam) {
                add(password())
                return find(genp([kSecUseItemList: [String]()]))
            },
            Row("6.6 kSecUseItemList in an update", gives: errSecParam) {
                add(password())
                return update(genp([kSecUseItemList: [String]()]), [kSecAttrLabel: "l"])
            },
            Row("6.6 kSecUseItemList in a delete is ignored", gives: errSecSuccess) {
                add(password())
                return delete(genp([kSecUseItemList: [String]()]))
            },
        ]

    private static let authenticationRows: [Row] =
        [
            ("Allow", kSecUseAuthenticationUIAllow as String), ("Fail", kSecUseAuthenticationUIFail as String),
            ("Skip", kSecUseAuthenticationUISkip as String), ("another value", "whatever"),
        ].map { name, value in
            Row("6.8 \(name) has no effect on ordinary items") {
                add(password())
                let query = genp([kSecUseAuthenticationUI: value, kSecReturnData: true])
                #expect(copying(query).data == bytes("bob"))
            }
        } + [
            Row("6.8 kSecUseNoAuthenticationUI has no effect on ordinary items", gives: errSecSuccess) {
                add(password())
                return find(genp([kSecUseNoAuthenticationUI: true]))
            },
            Row("6.8 kSecUseOperationPrompt has no effect", gives: errSecSuccess) {
                add(password())
                return find(genp([kSecUseOperationPrompt: "please"]))
            },
            Row("6.8 a context that is none", gives: errSecParam) {
                find(genp([kSecUseAuthenticationContext: "context"]))
            },
            Row("6.8 a context has no effect on ordinary items") {
                add(password())
                for context in [Context(), Context(interactionNotAllowed: true)] {
                    #expect(find(genp([kSecUseAuthenticationContext: context])) == errSecSuccess)
                }
            },
            Row("6.8 a context with kSecUseCredentialReference", gives: errSecParam) {
                add(password())
                return find(genp([kSecUseAuthenticationContext: Context(), kSecUseCredentialReference: Data([1])]))
            },
            Row("5 a context with kSecUseCredentialReference", gives: errSecParam) {
                add(password("a", [kSecUseAuthenticationContext: Context(), kSecUseCredentialReference: Data([1])]))
            },
            Row("5 a context in an add is accepted", gives: errSecSuccess) {
                add(password("a", [kSecUseAuthenticationContext: Context()]))
            },
            Row("6.8 Skip in an update", gives: errSecParam) {
                add(password())
                return update(genp([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]), [kSecAttrLabel: "l"])
            },
            Row("6.8 Skip in a delete", gives: errSecParam) {
                add(password())
                return delete(genp([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]))
            },
            Row("6.8 Fail in an update and a delete") {
                add(password())
                let query = genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
                #expect(update(query, [kSecAttrLabel: "l"]) == errSecSuccess)
                #expect(delete(query) == errSecSuccess)
            },
        ]
}
