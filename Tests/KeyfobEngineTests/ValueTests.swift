// SPDX-License-Identifier: Apache-2.0
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// What an item may hold and be called: any bytes of any size.
@Suite(.lendsTokens) struct ValueTests {
    @Test(arguments: [0, 1, 255, 4096, 1 << 20, 16 << 20])
    func `A value of any size comes back as it was added`(size: Int) throws {
        let keychain = try TestKeychain().unlocked()
        let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        try keychain.service().add("mail", value: value)
        try keychain.reopen()
        try keychain.unlocked()
        #expect(try keychain.service().value("mail") == value)
    }

    @Test func `An empty value is a value, no value is none`() throws {
        let keychain = try TestKeychain().unlocked()
        try keychain.service().add("empty", value: [])
        try keychain.service().add("none", value: nil)
        #expect(try keychain.service().value("empty") == [])
        #expect(try keychain.service().value("none") == nil)
    }

    @Test func `Every byte value survives in every place of a value`() throws {
        let keychain = try TestKeychain().unlocked()
        let value = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
        try keychain.service().add("mail", value: value)
        #expect(try keychain.service().value("mail") == value)
    }

    @Test(arguments: [
        "🔑🗝️👩‍👩‍👧", "two\nlines", "with\0NUL", " ", "张三", String(repeating: "ä", count: 32768), "\u{FEFF}\u{202E}",
    ])
    func `A name of any text comes back as it was given, and finds its item`(name: String) throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add(name, account: name, value: [7])
        try service.add(name + "x", account: name, value: [8])
        try keychain.reopen()
        try keychain.unlocked()
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text(name)])
        let answer = try keychain.service().copyMatching(
            MatchRequest(query, limit: .all, returns: [.attributes, .data]))
        #expect(answer.items.count == 1)
        #expect(answer.items[0].attributes?[.service] == .text(name))
        #expect(answer.items[0].attributes?[.account] == .text(name))
        #expect(answer.withValue(of: answer.items[0]) { $0?.array } == [7])
    }

    @Test func `Two spellings that Unicode calls equal are two items`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        try service.add(composed, account: "ann", value: [1])
        try service.add(decomposed, account: "ann", value: [2])
        #expect(try service.value(composed, account: "ann") == [1])
        #expect(try service.value(decomposed, account: "ann") == [2])
        #expect(try service.value(composed) == [1])
        #expect(code { try service.add(composed, account: "ann") } == .duplicateItem)
    }

    @Test func `A name and its beginning are two items`() throws {
        let keychain = try TestKeychain().unlocked()
        let service = keychain.service()
        try service.add("ab", account: "c", value: [1])
        try service.add("a", account: "bc", value: [2])
        try service.add("ab", account: "c\0", value: [3])
        #expect(try service.value("ab", account: "c") == [1])
        #expect(try service.value("a", account: "bc") == [2])
        #expect(try service.value("ab", account: "c\0") == [3])
    }
}
