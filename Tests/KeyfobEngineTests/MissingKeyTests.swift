// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobPKCS11
import KeyfobTestSupport
import Testing

/// A class key that is gone from the token makes its items unavailable and never costs a row.
@Suite(.lendsTokens) struct MissingKeyTests {
    /// Destroys the token objects whose label has `part` in it.
    private func destroyKeys(_ part: String, of keychain: TestKeychain) throws -> Int {
        let token = try keychain.token.openLoggedIn()
        let session = try token.openSession(readWrite: true)
        var template = Template()
        template.set(.token, true)
        var count = 0
        for object in try session.find(template, limit: 100) {
            let label = String(decoding: try session.bytes(of: object, .label) ?? [], as: UTF8.self)
            guard label.contains("/\(part)/") else { continue }
            try session.destroyObject(object)
            count += 1
        }
        try token.logout()
        return count
    }

    private func lab(without part: String) throws -> DamageLab {
        let lab = try DamageLab()
        lab.keychain.engine.close()
        #expect(try destroyKeys(part, of: lab.keychain) == 1)
        try lab.keychain.reopen()
        try lab.keychain.unlocked()
        return lab
    }

    @Test func `With the key of one class gone its items are unavailable and the others are served`() throws {
        let lab = try lab(without: "ak")
        #expect(try lab.allValues() == ["first"])
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("near")])
        let error = #expect(throws: KeychainError.self) {
            _ = try lab.service.copyMatching(MatchRequest(query, returns: .data))
        }
        #expect(error?.code == .notAvailable)
        #expect(error?.subject == .classKey(.whenUnlocked))
    }

    @Test func `With the wrapping key gone the other classes still unlock`() throws {
        let lab = try lab(without: "wrap")
        #expect(try lab.allValues() == DamageLab.neighbours.subtracting(["first"]).union([DamageLab.victim]))
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("first")])
        #expect(code { _ = try lab.service.copyMatching(MatchRequest(query, returns: .data)) } == .notAvailable)
    }

    @Test func `No operation on items whose key is gone deletes or rewrites a row`() throws {
        let lab = try lab(without: "ak")
        let before = try lab.dump()
        let service = lab.service
        let query = ItemQuery(
            itemClass: .genericPassword, attributes: [.service: .text("near"), .account: .text("ann")])
        #expect(code { _ = try service.copyMatching(MatchRequest(query, returns: .data)) } == .notAvailable)
        #expect(code { try service.update(UpdateRequest(query, value: SecretBytes(copying: [1]))) } == .notAvailable)
        #expect(code { try service.add("near", account: "ann") } == .notAvailable)
        #expect(code { try service.add("near", account: "ann", accessible: .afterFirstUnlock) } == .duplicateItem)
        #expect(try lab.keychain.engine.verify().findings.count == 6)
        try lab.keychain.engine.lock()
        #expect(try lab.dump() == before)
    }

    @Test func `With the key of the always class gone the keychain says so at open and writes nothing`() throws {
        let lab = try DamageLab()
        lab.keychain.engine.close()
        let before = try StoreEditor(lab.database).dump()
        #expect(try destroyKeys("dk", of: lab.keychain) == 1)
        let error = #expect(throws: KeychainError.self) { _ = try KeychainEngine.open(lab.keychain.home) }
        #expect(error?.code == .notAvailable)
        #expect(error?.subject == .classKey(.always))
        #expect(try StoreEditor(lab.database).dump() == before)
    }

    @Test func `An item whose key is gone can still be deleted by who asks for it`() throws {
        let lab = try lab(without: "ak")
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("near")])
        try lab.service.delete(DeleteRequest(query))
        #expect(code { _ = try lab.service.copyMatching(MatchRequest(query, returns: .data)) } == .itemNotFound)
    }
}
