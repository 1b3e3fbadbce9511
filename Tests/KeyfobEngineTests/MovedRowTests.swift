// SPDX-License-Identifier: Apache-2.0
import KeyfobEngine
import KeyfobMemory
import KeyfobModel
import KeyfobTestSupport
import Testing

/// What the sealed parts of a row are tied to; each case moves the victim's seal to where it does not belong.
enum Move: String, CaseIterable, Sendable {
    case identity, itemClass, group, synchronizable, accessibility, generation, accessControl, primaryKey, extra
    case revision

    /// The change of the file.
    ///
    /// Row 1 is the victim, row 2 a neighbour with a seal of the same shape.
    func apply(_ editor: StoreEditor) throws {
        let scopeOf = { (name: String) in "(SELECT scope FROM items WHERE id = \(name))" }
        switch self {
        case .identity:
            try editor.run(
                """
                UPDATE items SET metadata = (SELECT metadata FROM items WHERE id = 2),
                value = (SELECT value FROM items WHERE id = 2) WHERE id = 1
                """)
        case .itemClass: try editor.run("UPDATE items SET scope = \(scopeOf("7")) WHERE id = 1")
        case .group: try editor.run("UPDATE items SET scope = \(scopeOf("5")) WHERE id = 1")
        case .synchronizable: try editor.run("UPDATE items SET scope = \(scopeOf("6")) WHERE id = 1")
        case .accessibility: try relabel(editor, accessibility: 4, generation: 1)
        case .generation:
            try editor.run(
                """
                INSERT INTO class_keys SELECT class, 2, suite, residence, state, wrapped, metadata_key, seals
                FROM class_keys WHERE class = 1
                """)
            try relabel(editor, accessibility: 1, generation: 2)
        case .accessControl: try editor.run("UPDATE items SET access_control = X'0101' WHERE id = 1")
        case .primaryKey:
            try editor.run("UPDATE items SET tuple = X'000102030405060708090A0B0C0D0E0F' WHERE id = 1")
        case .extra: try editor.run("UPDATE items SET extra = X'000102030405060708090A0B0C0D0E0F' WHERE id = 1")
        case .revision: try editor.run("UPDATE items SET revision = revision + 1 WHERE id = 1")
        }
        // As careful an attacker as can be: the search table follows.
        try editor.run("UPDATE OR REPLACE search SET scope = (SELECT scope FROM items WHERE id = 1) WHERE item = 1")
    }

    /// Writes another class key into the row and into the headers of both its seals.
    private func relabel(_ editor: StoreEditor, accessibility: Int, generation: Int) throws {
        let key = "0\(accessibility)0000000\(generation)"
        try editor.run(
            """
            UPDATE items SET class_key = \(accessibility), generation = \(generation),
            metadata = CAST(substr(metadata, 1, 1) || X'\(key)' || substr(metadata, 7) AS BLOB),
            value = CAST(substr(value, 1, 2) || X'\(key)' || substr(value, 8) AS BLOB) WHERE id = 1
            """)
    }
}

/// A row copied to where it does not belong does not open, and harms nothing else.
@Suite(.lendsTokens) struct MovedRowTests {
    @Test(arguments: Move.allCases)
    func `A moved seal is not served`(move: Move) throws {
        let lab = try DamageLab()
        try lab.edit(move.apply)
        let everything = try lab.allValues().union(lab.values(ItemQuery(itemClass: .internetPassword)))
        #expect(everything == DamageLab.neighbours.union(["net"]))
    }

    @Test(arguments: Move.allCases)
    func `A moved seal is a finding for its row alone`(move: Move) throws {
        let lab = try DamageLab()
        try lab.edit(move.apply)
        let report = try lab.keychain.engine.verify()
        #expect(Set(report.findings.map(\.row)) == [1])
        #expect(report.verified == 6)
    }

    @Test(arguments: Move.allCases.filter { $0 != .revision && $0 != .primaryKey })
    func `The value of a moved seal does not open by the row's key either`(move: Move) throws {
        let lab = try DamageLab()
        try lab.edit(move.apply)
        var query = ItemQuery(
            itemClass: move == .itemClass ? .internetPassword : .genericPassword,
            attributes: [.service: .text(DamageLab.victim), .account: .text("ann")], synchronizable: .any)
        if move == .itemClass { query.attributes = [:] }
        let answer = { try lab.service.copyMatching(MatchRequest(query, limit: .all, returns: .data)).items.count }
        switch move {
        case .itemClass: #expect(try answer() == 1)
        case .generation: #expect(code { _ = try answer() } == .notAvailable)
        default: #expect(code { _ = try answer() } == .itemNotFound)
        }
    }

    @Test func `A row copied into another keychain does not open there`() throws {
        let lab = try DamageLab()
        let other = try DamageLab()
        lab.keychain.engine.close()
        let row = try StoreEditor(lab.database).rows("SELECT uuid, metadata, value FROM items WHERE id = 1")
        let parts = row[0].split(separator: "|")
        try other.edit {
            try $0.run("UPDATE items SET uuid = \(parts[0]), metadata = \(parts[1]), value = \(parts[2]) WHERE id = 1")
        }
        #expect(try other.allValues() == DamageLab.neighbours)
        #expect(Set(try other.keychain.engine.verify().findings.map(\.row)) == [1])
        try lab.keychain.reopen()
    }

    @Test func `The whole file of one keychain does not open with the token of another`() throws {
        let lab = try DamageLab()
        let other = try DamageLab()
        lab.keychain.engine.close()
        let record = try StoreEditor(lab.database).rows("SELECT uuid, index_key FROM keychain")
        let parts = record[0].split(separator: "|")
        other.keychain.engine.close()
        // The keychain's row is given the identity of the other token: its keys are what is missing.
        let editor = try StoreEditor(other.database)
        let own = try editor.rows("SELECT uuid, index_key FROM keychain")[0].split(separator: "|")
        try editor.run("UPDATE keychain SET uuid = \(parts[0]), index_key = \(parts[1])")
        #expect(code { _ = try KeychainEngine.open(other.keychain.home) } == .notAvailable)
        try editor.run("UPDATE keychain SET uuid = \(own[0]), index_key = \(own[1])")
        try other.keychain.reopen()
        try lab.keychain.reopen()
    }

    @Test func `An old row put back in place of a newer one is refused by its number of revisions`() throws {
        let lab = try DamageLab()
        var old = ""
        try lab.edit { old = try $0.rows("SELECT metadata FROM items WHERE id = 1")[0] }
        let query = ItemQuery(
            itemClass: .genericPassword, attributes: [.service: .text(DamageLab.victim), .account: .text("ann")])
        try lab.service.update(UpdateRequest(query, changes: [.label: .text("new")]))
        try lab.edit { try $0.run("UPDATE items SET metadata = \(old) WHERE id = 1") }
        #expect(try !lab.allValues().contains(DamageLab.victim))
    }
}
