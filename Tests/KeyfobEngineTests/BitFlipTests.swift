// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobModel
import KeyfobTestSupport
import Testing

/// One flipped bit of the file.
struct Flip: Sendable, CustomTestStringConvertible {
    let table: String
    let column: String
    var condition: String
    var bit = 0

    var testDescription: String { "\(table).\(column) bit \(bit) where \(condition)" }
}

/// What one flipped bit of the store does: it is told for its row, and its neighbours are served.
@Suite(.lendsTokens) struct BitFlipTests {
    private static let itemFlips =
        ["uuid", "scope", "tuple", "class_key", "generation", "access_control", "revision", "metadata", "value"]
        .map { Flip(table: "items", column: $0, condition: "id = 1") }
        + ["scope", "class_key", "generation", "revision"].map {
            Flip(table: "items", column: $0, condition: "id = 1", bit: 45)
        }
        + [("metadata", 3), ("value", 2)].map { Flip(table: "items", column: $0, condition: "id = 1", bit: $1) }
        + [
            Flip(table: "items", column: "extra", condition: "id = 1"),
            Flip(table: "items", column: "class_key", condition: "id = 1", bit: 2),
        ]

    @Test(arguments: itemFlips)
    func `A flipped bit in an item's row is a finding for that row, and its neighbours are served`(flip: Flip) throws {
        let lab = try DamageLab()
        try lab.edit { try $0.flip(flip.column, of: flip.table, where: flip.condition, bit: flip.bit) }
        #expect(try lab.allValues().isSuperset(of: DamageLab.neighbours))
        let report = try lab.keychain.engine.verify()
        // Row 0 stands for search rows that lead nowhere now, as after a changed compartment.
        #expect(report.findings.allSatisfy { $0.row == 1 || ($0.row == 0 && flip.column == "scope") })
        #expect(report.findings.contains { $0.row == 1 })
        #expect(report.verified == 6)
    }

    @Test(arguments: itemFlips)
    func `A row with a flipped bit is not served under its attributes`(flip: Flip) throws {
        let lab = try DamageLab()
        try lab.edit { try $0.flip(flip.column, of: flip.table, where: flip.condition, bit: flip.bit) }
        // All of these need the attributes, which are bound to every column.
        #expect(try !lab.allValues().contains(DamageLab.victim))
        #expect(
            try lab.values(ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("near")])) == ["near"])
    }

    @Test(arguments: itemFlips + [Flip(table: "items", column: "id", condition: "id = 1", bit: 20)])
    func `Reading and verifying a damaged row writes nothing`(flip: Flip) throws {
        let lab = try DamageLab()
        try lab.edit { try $0.flip(flip.column, of: flip.table, where: flip.condition, bit: flip.bit) }
        let before = try lab.dump()
        _ = try lab.allValues()
        _ = try lab.values(ItemQuery(itemClass: .genericPassword, attributes: [.service: .text(DamageLab.victim)]))
        _ = try lab.keychain.engine.verify()
        try lab.keychain.engine.lock()
        #expect(try lab.dump() == before)
    }

    @Test func `A changed row number is a finding, and the item is still found by its key`() throws {
        let lab = try DamageLab()
        try lab.edit { try $0.flip("id", of: "items", where: "id = 1", bit: 20) }
        #expect(try lab.service.value(DamageLab.victim, account: "ann") == Array("victim".utf8))
        #expect(try lab.keychain.engine.verify().findings.contains { $0.column == "search" })
    }

    @Test(arguments: [
        Flip(
            table: "search", column: "digest",
            condition: "item = 1 AND digest = (SELECT min(digest) FROM search WHERE item = 1)"),
        Flip(
            table: "search", column: "scope",
            condition: "item = 1 AND digest = (SELECT min(digest) FROM search WHERE item = 1)", bit: 9),
        Flip(
            table: "search", column: "item",
            condition: "item = 1 AND digest = (SELECT min(digest) FROM search WHERE item = 1)", bit: 9),
        Flip(table: "items", column: "digests", condition: "id = 1"),
    ])
    func `A flipped bit in the search table is a finding, and every item is still served`(flip: Flip) throws {
        let lab = try DamageLab()
        try lab.edit { try $0.flip(flip.column, of: flip.table, where: flip.condition, bit: flip.bit) }
        #expect(try lab.allValues() == DamageLab.neighbours.union([DamageLab.victim]))
        let findings = try lab.keychain.engine.verify().findings
        #expect(findings.contains { $0.row == 1 && ($0.column == "search" || $0.column == "digests") })
        #expect(findings.allSatisfy { $0.row <= 1 })
    }

    @Test func `A search row that leads to another item does not pass that one off as what was asked for`() throws {
        let lab = try DamageLab()
        // The digest of the victim's service now leads to the row of "near".
        try lab.edit { editor in
            let shared = "(SELECT digest FROM search WHERE item = 2)"
            try editor.run("UPDATE OR IGNORE search SET item = 2 WHERE item = 1 AND digest NOT IN \(shared)")
        }
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text(DamageLab.victim)])
        #expect(code { _ = try lab.service.copyMatching(MatchRequest(query, returns: .data)) } == .itemNotFound)
        #expect(code { try lab.service.update(UpdateRequest(query, changes: [.label: .text("x")])) } == .itemNotFound)
        #expect(code { try lab.service.delete(DeleteRequest(query)) } == .itemNotFound)
        #expect(try lab.allValues() == DamageLab.neighbours.union([DamageLab.victim]))
    }

    @Test(arguments: ["digest", "sealed"])
    func `A flipped bit in a compartment's row is a finding for its items alone`(column: String) throws {
        let lab = try DamageLab()
        var inside: Set<Int64> = []
        try lab.edit { editor in
            inside = Set(try editor.rows("SELECT id FROM items WHERE scope = 1").compactMap { Int64($0) })
            try editor.flip(column, of: "scopes", where: "id = 1")
        }
        let report = try lab.keychain.engine.verify()
        #expect(Set(report.findings.map(\.row)) == inside)
        #expect(report.findings.allSatisfy { $0.column == "scope" })
        #expect(try lab.allValues().isSuperset(of: ["grouped", "synced"]))
    }

    @Test(arguments: ["class", "generation", "suite", "residence", "metadata_key", "wrapped"])
    func `A flipped bit in a class key's row makes its own items unavailable by name, and no others`(
        column: String
    ) throws {
        let lab = try DamageLab()
        try lab.edit { try $0.flip(column, of: "class_keys", where: "class = 2", bit: 6) }
        let before = try lab.dump()
        let query = ItemQuery(itemClass: .genericPassword, attributes: [.service: .text("first")])
        let error = #expect(throws: KeychainError.self) {
            _ = try lab.service.copyMatching(MatchRequest(query, returns: .data))
        }
        #expect(error?.code == .notAvailable || error?.code == .storeDamaged)
        #expect(error?.subject == .classKey(.afterFirstUnlock))
        #expect(try lab.allValues() == DamageLab.neighbours.subtracting(["first"]).union([DamageLab.victim]))
        let findings = try lab.keychain.engine.verify().findings
        #expect(findings.map(\.column) == ["class_key"])
        #expect(try lab.dump() == before)
    }

    @Test(arguments: ["state", "seals"])
    func `A flipped bit in what is only counted changes nothing that is served`(column: String) throws {
        let lab = try DamageLab()
        try lab.edit { try $0.flip(column, of: "class_keys", where: "class = 2", bit: 2) }
        #expect(try lab.allValues() == DamageLab.neighbours.union([DamageLab.victim]))
    }

    @Test(arguments: ["uuid", "index_key", "token_label", "token_manufacturer", "token_model", "token_serial"])
    func `A flipped bit in the keychain's row is a clear error at open, and nothing is written`(column: String) throws {
        let lab = try DamageLab()
        lab.keychain.engine.close()
        let editor = try StoreEditor(lab.database)
        try editor.flip(column, of: "keychain", where: "id = 1")
        let before = try editor.dump()
        let error = #expect(throws: KeychainError.self) { _ = try KeychainEngine.open(lab.keychain.home) }
        let expected: [KeychainError.Code] = column.hasPrefix("token") ? [.wrongToken] : [.storeDamaged, .notAvailable]
        #expect(error.map { expected.contains($0.code) } == true)
        #expect(error?.cause != nil)
        #expect(try editor.dump() == before)
        try editor.flip(column, of: "keychain", where: "id = 1")
        try lab.keychain.reopen()
    }
}
