// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// Changed rows of items that need a person: nothing opens that was not sealed so.
@Suite(.lendsTokens) struct PresenceDamageTests {
    private static func edit(_ lab: PresenceLab, _ body: (StoreEditor) throws -> Void) throws {
        lab.keychain.engine.close()
        try body(StoreEditor(lab.keychain.home.path + "/keychain.db"))
        try lab.keychain.reopen()
        try lab.keychain.unlocked()
    }

    private static func everything(_ lab: PresenceLab) throws -> Int {
        do throws(KeychainError) {
            var request = MatchRequest(
                ItemQuery(itemClass: .genericPassword), limit: .all, returns: [.data, .attributes])
            request.credentials = Credentials(pin: try lab.pinOrFault())
            return try lab.service.copyMatching(request).items.count
        } catch {
            guard error.code == .itemNotFound else { throw error }
            return 0
        }
    }

    /// Every part of a guarded row: version, class key, guard length, parts, suite, generation, length, sealed secret,
    /// check, nonce, ciphertext and tag of the attributes; the same of the value.
    @Test(arguments: [0, 1, 6, 7, 8, 9, 13, 15, 16, 60, 271, 272, 280, 288, 300, -1])
    func `A flipped bit anywhere in the attributes opens nothing, and the neighbour is served`(offset: Int) throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.add("news", flags: 0)
        try Self.edit(lab) { editor in
            try editor.flipByte(at: offset, in: "metadata", of: "items", where: "id = 1")
        }
        #expect(try Self.everything(lab) == 1)
    }

    @Test(arguments: [0, 1, 2, 8, 9, 30, 68, 69, 80, 90, -1])
    func `A flipped bit anywhere in the value opens nothing, and the neighbour is served`(offset: Int) throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.add("news", flags: 0)
        try Self.edit(lab) { editor in try editor.flipByte(at: offset, in: "value", of: "items", where: "id = 1") }
        #expect(try Self.everything(lab) == 1)
    }

    @Test(arguments: ["access_control", "uuid", "tuple", "revision", "class_key"])
    func `A flipped bit in another column opens nothing`(column: String) throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.add("news", flags: 0)
        try Self.edit(lab) { try $0.flip(column, of: "items", where: "id = 1") }
        #expect(try Self.everything(lab) == 1)
    }

    @Test func `An access control that was taken off the row opens nothing, and no PIN is asked for`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try Self.edit(lab) { try $0.run("UPDATE items SET access_control = x''") }
        let logins = lab.logins { #expect(code { _ = try lab.copy("mail", returns: .attributes) } == .itemNotFound) }
        #expect(logins == 0)
        #expect(try lab.keychain.engine.verify().findings.map(\.column) == ["metadata"])
    }

    @Test func `A guard does not open on another row, nor a value`() throws {
        let lab = try PresenceLab()
        try lab.add("a")
        try lab.add("b")
        try lab.add("c")
        try Self.edit(lab) { editor in
            try editor.run("UPDATE items SET metadata = (SELECT metadata FROM items WHERE id = 2) WHERE id = 1")
            try editor.run("UPDATE items SET value = (SELECT value FROM items WHERE id = 2) WHERE id = 3")
        }
        #expect(code { _ = try lab.copy("a", lab.pin(), returns: [.data, .attributes]) } == .itemNotFound)
        #expect(code { _ = try lab.copy("c", lab.pin(), returns: [.data, .attributes]) } == .itemNotFound)
        #expect(try lab.value("b", lab.pin()) == [1, 2, 3])
    }

    @Test func `A password row whose cost was raised is damaged and not computed`() throws {
        let lab = try PresenceLab()
        try lab.add("mail", flags: PresenceLab.password, lab.password("open sesame"))
        try Self.edit(lab) { editor in
            let blob = "metadata"
            let raised = "substr(\(blob), 1, 9) || x'1F' || substr(\(blob), 11)"
            try editor.run("UPDATE items SET \(blob) = CAST(\(raised) AS BLOB)")
        }
        #expect(code { _ = try lab.copy("mail", lab.password("open sesame"), returns: .attributes) } == .itemNotFound)
    }

    @Test func `Verify counts what needs a person as locked`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try lab.add("news", flags: 0)
        let report = try lab.keychain.engine.verify()
        #expect(report.findings.isEmpty)
        #expect(report.verified == 1)
        #expect(report.locked == 1)
    }

    @Test func `A damaged guard gives way to a new item of the same key`() throws {
        let lab = try PresenceLab()
        try lab.add("mail")
        try Self.edit(lab) { editor in
            try editor.flipByte(at: 8, in: "metadata", of: "items", where: "id = 1")
        }
        try lab.add("mail", value: [7])
        #expect(try lab.value("mail", lab.pin()) == [7])
    }
}

extension PresenceLab {
    func pinOrFault() throws(KeychainError) -> SecretBytes {
        do { return try keychain.token.pin() } catch { throw KeychainError(.internalError, .open) }
    }
}
