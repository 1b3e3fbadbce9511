// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Filters on text mean the same items in every operation.
@Suite(.lendsTokens) struct TextFilterTests {
    private func query(
        _ match: TextFilter.Match, _ text: String, ignoresCase: Bool = false, in name: AttributeName? = nil,
        _ attributes: AttributeSet = [:]
    ) -> ItemQuery {
        let filter = TextFilter(name, match, WipedBytes(utf8: text), ignoresCase: ignoresCase)
        return ItemQuery(itemClass: .genericPassword, attributes: attributes, textFilters: [filter])
    }

    private func names(
        _ query: ItemQuery, in service: any KeychainService, limit: MatchLimit = .all
    ) throws -> [String] {
        do throws(KeychainError) {
            let request = MatchRequest(query, limit: limit, returns: .attributes)
            return try service.copyMatching(request).items.map { item in
                guard case .text(let text)? = item.attributes?[.service] else { return "" }
                return text.string
            }
        } catch {
            guard error.code == .itemNotFound else { throw error }
            return []
        }
    }

    private let everything = ItemQuery(itemClass: .genericPassword)

    @Test func `A filter finds text in any attribute, with and without case`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("Mail", account: "ann")
        try service.add("web", account: "MAILER")
        try service.add("other", account: "bob")
        #expect(try names(query(.contains, "mail", ignoresCase: true), in: service) == ["Mail", "web"])
        #expect(try names(query(.contains, "Mail"), in: service) == ["Mail"])
        #expect(try names(query(.startsWith, "MAIL", in: .account), in: service) == ["web"])
        #expect(try names(query(.endsWith, "er", in: .service), in: service) == ["other"])
        #expect(try names(query(.equal, "mail"), in: service) == [])
    }

    @Test func `Digests and filters must both hold`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", account: "ann")
        try service.add("mail", account: "bob")
        try service.add("web", account: "ann")
        let query = query(.contains, "AN", ignoresCase: true, in: .account, [.service: .text("mail")])
        #expect(try names(query, in: service) == ["mail"])
    }

    @Test func `Every filter of a query must hold`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail one")
        try service.add("mail two")
        var query = query(.contains, "mail")
        query.textFilters.append(TextFilter(.service, .endsWith, WipedBytes(utf8: "two")))
        #expect(try names(query, in: service) == ["mail two"])
    }

    @Test func `A limit counts what passes, over more than one page and in order`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        for number in 0..<600 { try service.add("\(number)\(number % 200 == 199 ? " hit" : "")") }
        let query = query(.endsWith, " hit")
        #expect(try names(query, in: service, limit: .count(1)) == ["199 hit"])
        #expect(try names(query, in: service, limit: .count(2)) == ["199 hit", "399 hit"])
        #expect(try names(query, in: service) == ["199 hit", "399 hit", "599 hit"])
        try service.delete(DeleteRequest(query))
        #expect(try names(everything, in: service).count == 597)
    }

    @Test func `The value alone comes from the item that passes`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("web", value: [1])
        try service.add("mail", value: [2])
        let result = try service.copyMatching(MatchRequest(query(.startsWith, "ma"), returns: .data))
        #expect(result.withValue(of: result.items[0]) { $0?.array } == [2])
    }

    @Test func `An update changes what passes and nothing else`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("Mail")
        try service.add("web")
        try service.update(
            UpdateRequest(query(.equal, "mail", ignoresCase: true), changes: [.comment: .text("seen")]))
        let seen = ItemQuery(itemClass: .genericPassword, attributes: [.comment: .text("seen")])
        #expect(try names(seen, in: service) == ["Mail"])
        #expect(code { try service.update(UpdateRequest(query(.equal, "MAIL"))) } == .itemNotFound)
    }

    @Test func `A delete removes what passes and nothing else`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("Mail")
        try service.add("web")
        #expect(code { try service.delete(DeleteRequest(query(.equal, "mail"))) } == .itemNotFound)
        try service.delete(DeleteRequest(query(.equal, "mail", ignoresCase: true)))
        #expect(try names(everything, in: service) == ["web"])
    }

    @Test func `A delete by a filter asks for no guess about what is locked`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail")
        try service.add("mail too", accessible: .always)
        try keychain.engine.lock()
        #expect(code { try service.delete(DeleteRequest(query(.contains, "mail"))) } == .interactionNotAllowed)
        try keychain.unlocked()
        #expect(try names(everything, in: service) == ["mail", "mail too"])
    }

    @Test func `What is locked behind the last match refuses nothing`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("mail", accessible: .always)
        try service.add("mail too")
        try keychain.engine.lock()
        #expect(try names(query(.contains, "mail"), in: service, limit: .count(1)) == ["mail"])
        #expect(code { _ = try names(query(.contains, "mail"), in: service) } == .interactionNotAllowed)
    }

    @Test func `A damaged item passes no filter, so that none deletes it`() throws {
        let lab = try DamageLab()
        try lab.edit { try $0.run("UPDATE items SET metadata = zeroblob(length(metadata)) WHERE id = 1") }
        let query = query(.contains, "ann")
        #expect(!(try names(query, in: lab.service).contains(DamageLab.victim)))
        try lab.service.delete(DeleteRequest(query))
        // Of seven items it was three that opened and passed.
        #expect(try lab.dump().filter { $0.hasPrefix("items: ") }.count == 4)
    }

    @Test func `A host filter looks behind the first page`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        for number in 0..<300 {
            _ = try service.add(
                AddRequest(
                    itemClass: .internetPassword,
                    attributes: [.server: .text(number == 299 ? "mail.example.org" : "host\(number).test")]))
        }
        let query = ItemQuery(itemClass: .internetPassword, hostOrSubdomain: WipedBytes(utf8: "example.org"))
        let found = try service.copyMatching(MatchRequest(query, returns: .attributes)).items
        #expect(found.map { $0.attributes?[.server] } == [.text("mail.example.org")])
    }

    @Test func `The engine finds what the model of SecItem finds`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service("test.default")
        let model = ModelService(groups: ["test.default"])
        var generator = SeededRandom(seed: 7)
        let words = ["mail", "Mail", "MAILER", "straße", "STRASSE", "web", "é", ""]
        for number in 0..<24 {
            let name = words[Int.random(in: 0..<words.count, using: &generator)] + "\(number % 3)"
            let account = words[Int.random(in: 0..<words.count, using: &generator)] + "\(number)"
            for each in [service, model as any KeychainService] { try each.add(name, account: account) }
        }
        for word in words {
            for match in [TextFilter.Match.equal, .startsWith, .endsWith, .contains] {
                for name in [AttributeName.service, .account, nil] {
                    let query = query(match, word, ignoresCase: true, in: name)
                    #expect(try names(query, in: service) == names(query, in: model), "\(word) \(match)")
                }
            }
        }
    }
}
